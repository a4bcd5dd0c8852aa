const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  list: 'a list',
  set: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  map: 'a mapping',
}

/** What a value of a type is, as a file writes it: the type of a shape, an attribute or a variable. */
export const kindWords = (type: string): string | undefined => kinds[type]
