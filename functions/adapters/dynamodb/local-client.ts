/** For a DynamoDB that is not of AWS. Credentials mean nothing to it, but the client wants some. */
export const localClient = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
})
