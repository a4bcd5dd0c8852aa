const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Whether a name is free. `constructor`, `toString` and the like stand for something in every object, whoever looks them up. */
export const isOwnName = (name: string): boolean => !inherited.has(name)

export const ownNameRule = 'every object has this name already: use another one'
