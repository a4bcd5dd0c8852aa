/* Preloaded into a server that listens on every interface: it listens on loopback only. */
const net = require('node:net')
const listen = net.Server.prototype.listen
const isAny = (host) => host === undefined || host === null || host === '0.0.0.0' || host === '::'

net.Server.prototype.listen = function onLoopback(first, ...rest) {
  if (typeof first === 'object' && first !== null && 'port' in first)
    return listen.call(this, isAny(first.host) ? { ...first, host: '127.0.0.1' } : first, ...rest)
  if (!/^\d+$/.test(String(first))) return listen.call(this, first, ...rest)
  const [host, ...more] = rest
  if (typeof host === 'function') return listen.call(this, first, '127.0.0.1', host, ...more)
  return listen.call(this, first, isAny(host) ? '127.0.0.1' : host, ...more)
}
