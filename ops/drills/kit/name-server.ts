import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const PORT = 53
const QUESTION_START = 12
const TYPE_A = 1
/** Response, recursion desired and available; with the code of a name that doesn't exist. */
const [FOUND, MISSING] = [0x8180, 0x8183]

/** A name server of the given names, each with one address; every other name doesn't exist. */
export async function startNameServer(address: string, names: Record<string, string>, port = PORT) {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port: asking, address: asker }) =>
    socket.send(respond(query, names), asking, asker),
  )
  socket.bind(port, address)
  await once(socket, 'listening')
  return socket
}

function respond(query: Buffer, names: Record<string, string>) {
  const { name, end } = readName(query)
  const type = query.readUInt16BE(end)
  const address = names[name.toLowerCase()]
  const answers = address && type === TYPE_A ? [answerOf(address)] : []
  const header = Buffer.alloc(QUESTION_START)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(address ? FOUND : MISSING, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers.length, 6)
  return Buffer.concat([header, query.subarray(QUESTION_START, end + 4), ...answers])
}

function readName(query: Buffer) {
  const labels: string[] = []
  let at = QUESTION_START
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}

/** Name by pointer, type A, class IN, a minute. */
const answerOf = (address: string) =>
  Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)])
