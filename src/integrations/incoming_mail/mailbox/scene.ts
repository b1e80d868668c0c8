/** A real IMAP server for tests, which can go away and come back. */
import type { AddressInfo } from 'node:net'
import createServer, { type ImapConnection, type ImapServer, type KeptMessage } from 'hoodiecrow-imap'
import { atEnd } from '../../../../test/at_end.ts'

export interface Mailbox {
  readonly port: number
  /** Its address with user and password. */
  readonly url: string
  /** Puts a mail in, as a mail server that received it. */
  put(source: string): void
  messages(): readonly KeptMessage[]
  /** Breaks all connections. */
  interrupt(): void
}

/** Starts an IMAP server on this machine, which ends with the file. */
export async function startMailbox(): Promise<Mailbox> {
  const server: ImapServer = createServer({
    plugins: ['IDLE', 'UIDPLUS', 'LITERALPLUS', 'ENABLE'],
    users: { ingot: { password: 'a b:c' } },
    storage: { INBOX: { messages: [] } },
  })
  const connections = new Set<ImapConnection>()
  server.connectionHandlers.push(connection => {
    connections.add(connection)
    connection.socket
      .on('error', () => {})
      .on('close', () => {
        connections.delete(connection)
        // The server's timer of a client that waits for news lasts half an hour, and keeps the process alive.
        if (connection.inputHandler) connection.inputHandler('DONE')
      })
  })
  const interrupt = () => {
    for (const { socket } of connections) socket.destroy()
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  atEnd(async () => {
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    interrupt()
    await closed
  })
  return {
    port,
    url: `imap://ingot:a%20b%3Ac@127.0.0.1:${port}/INBOX`,
    put: source => server.appendMessage('INBOX', [], '01-Jun-2021 12:00:00 +0000', source),
    messages: () => server.getMailbox('INBOX').messages,
    interrupt,
  }
}
