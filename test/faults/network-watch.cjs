/** Loaded before a program: writes down every address that it tries to reach, and lets it try. */
const { appendFileSync } = require('node:fs')
const dgram = require('node:dgram')
const dns = require('node:dns')
const net = require('node:net')

const note = (what) => appendFileSync(process.env.NETWORK_NOTES, `${what}\n`)

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function watched(...given) {
  const [options] = Array.isArray(given[0]) ? given[0] : given
  if (options !== null && typeof options === 'object' && !options.path) {
    note(`connect ${options.host ?? 'localhost'}:${options.port}`)
  } else if (typeof options === 'number') note(`connect ${given[1]}:${options}`)
  return connect.apply(this, given)
}
const send = dgram.Socket.prototype.send
dgram.Socket.prototype.send = function watched(...given) {
  note('send a datagram')
  return send.apply(this, given)
}
for (const target of [dns, dns.promises]) {
  const { lookup } = target
  target.lookup = function watched(host, ...rest) {
    note(`look up ${host}`)
    return lookup.call(this, host, ...rest)
  }
}
