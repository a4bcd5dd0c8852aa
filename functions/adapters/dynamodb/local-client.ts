/** A client for a DynamoDB outside AWS. That server ignores credentials, but the client requires some. */
export const localClient = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
})
