export const notes = {
  noObject: 'an object was expected here',
  noList: 'a list was expected here',
  noSchema: 'a schema was expected here',
  noSchemas: 'a list of schemas was expected here',
  noValues: 'a list of values was expected here',
  noType: (written: string) => `not a JSON type: ${written}`,
  tuple: 'the elements of a list are not distinguished by their index',
  madeOfItself: 'the schema contains itself',
  tooDeep: 'schemas are nested too deep',
  noParameterName: 'a parameter needs a name and a place',
  noUrl: 'a server without a URL',
  otherDocument: (ref: string) => `a reference to another document is not followed: ${ref}`,
  noTarget: (ref: string) => `the target of the reference does not exist: ${ref}`,
  circle: 'the references form a circle',
}

export const unreadable = {
  syntax: (line: number) => `it is neither JSON nor YAML: look at line ${line}`,
  tooDeep: 'its nesting or its aliases are too deep to be read',
  noVersion: 'it is not a description: it has neither "swagger: 2.0" nor "openapi: 3.x" at its top',
  file: (name: string, why: string) => `${name} cannot be read as a description: ${why}`,
}
