/**
 * How long a service of AWS may take, for every client: without it the SDK waits for ever on one that takes a connection
 * and says nothing. https://github.com/aws/aws-sdk-js-v3/blob/main/supplemental-docs/CLIENTS.md#request-handler-requesthandler
 */
export const patience = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
}
