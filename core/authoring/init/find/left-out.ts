import type { Schema } from '../../description/description.ts'

const left = /\b(omitted|left out|absent|missing|(not|only|never) (be )?(set|present|returned|included|shown|sent))\b/i
const condition = /\b(if|when|where|unless|for)\b/i

/** Whether the text of a member says that there are answers without it. */
const isSaidOf = ({ description = '' }: Schema): boolean =>
  description.split(/[.;\n]/).some((sentence) => left.test(sentence) && condition.test(sentence))

/**
 * Whether answers may lack a member. A draft that says so wrongly takes a protection away: its text must say it, or a schema
 * of answers alone must name the members that are always there.
 */
export const saysLeftOut = (
  answer: Schema | undefined,
  member: string,
  requests: readonly (Schema | undefined)[] = [],
): boolean => {
  const shown = answer?.properties().get(member)
  if (answer === undefined || shown === undefined) return false
  const isShared = requests.some(
    (one) => one !== undefined && (one.pointer === answer.pointer || isNamedAlike(one, answer)),
  )
  const isTold = answer.required.size > 0 && !isShared && !answer.required.has(member)
  return isTold || isSaidOf(shown)
}

const isNamedAlike = (one: Schema, other: Schema): boolean => one.name !== undefined && one.name === other.name
