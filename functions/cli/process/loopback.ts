/** Only on this machine a token may travel without TLS. */
export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
