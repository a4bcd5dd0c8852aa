import { createHash } from 'node:crypto'
import { startServer } from '../servers/loopback.ts'

/** The few operations of AWS that a check and an apply need, apart from the table. */
export const startCloud = async (secrets: Readonly<Record<string, string>>) => {
  const queued: string[] = []
  const answers: Readonly<Record<string, (input: Record<string, string>) => unknown>> = {
    'TrentService.GenerateMac': () => ({ Mac: Buffer.alloc(32, 7).toString('base64') }),
    'AmazonSSM.GetParameter': ({ Name = '' }) => ({ Parameter: { Name, Type: 'SecureString', Value: secrets[Name] } }),
    'AmazonSQS.SendMessage': ({ MessageBody = '' }) => {
      queued.push(MessageBody)
      return { MessageId: String(queued.length), MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') }
    },
  }
  const published =
    '<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>1</MessageId></PublishResult></PublishResponse>'
  const server = await startServer(({ headers, body }, response) => {
    const target = String(headers['x-amz-target'] ?? '')
    const answer = answers[target]
    if (answer !== undefined) return response.end(JSON.stringify(answer(JSON.parse(body))))
    if (body.includes('Action=Publish')) return response.setHeader('content-type', 'text/xml').end(published)
    return response.writeHead(400).end(JSON.stringify({ __type: `Unexpected: ${target}` }))
  })
  return Object.assign(server, { queued })
}
