import { defined } from '#core'
import { findAwsIdentity } from '../../adapters/aws/aws-identity.ts'
import { type Signed, signAws } from '../../adapters/transport/http/sign-aws.ts'
import { signedRefusal } from '../backend/refusal.ts'
import type { SignRequest } from '../context.ts'
import type { Host } from '../process/host.ts'

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

/** The query spelled as it is signed: a server may take the `+` of a form for a plus or for a space. */
const plainQuery = (given: URL): URL => {
  const url = new URL(given)
  url.search = [...given.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  return url
}

/** Signs requests to API Gateway with AWS Signature Version 4. Rejects with IDENTITY_MISSING. */
export const createSign = async (
  endpoint: string,
  { variables, clock }: Pick<Host, 'variables' | 'clock'>,
): Promise<SignRequest> => {
  const { region, keys } = await findAwsIdentity(new URL(endpoint).hostname, variables)
  return async (request: Signed) => {
    const { accessKeyId, secretAccessKey, sessionToken } = await keys()
    const signing = { region, service: 'execute-api', accessKeyId, secretAccessKey, ...defined({ sessionToken }) }
    const url = plainQuery(request.url)
    const headers = await signAws(signing, { ...request, url }, clock.now())
    const keyEnd = accessKeyId.slice(-4)
    return {
      url,
      headers,
      refusal: (refused, date) => signedRefusal(refused, { keyEnd, date, now: clock.now() }),
    }
  }
}
