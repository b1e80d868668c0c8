/** What the tests use of a package without types. */
declare module 'hoodiecrow-imap' {
  import type { Server, Socket } from 'node:net'

  export interface KeptMessage {
    readonly raw: string
    readonly flags: readonly string[]
    readonly uid: number
  }

  export interface ImapConnection {
    readonly socket: Socket
    /** Takes the next line in place of a command: while the client waits for news (IDLE). */
    readonly inputHandler: false | ((line: string) => void)
  }

  export interface ImapServer {
    readonly server: Server
    /** Called with each connection. */
    readonly connectionHandlers: ((connection: ImapConnection) => void)[]
    listen(port: number, host: string, done: () => void): void
    close(done: () => void): void
    getMailbox(path: string): { readonly messages: readonly KeptMessage[] }
    appendMessage(path: string, flags: string[], date: string, raw: string): void
  }

  const createServer: (options: {
    readonly plugins?: readonly string[]
    readonly storage?: object
    readonly users?: Readonly<Record<string, { readonly password: string }>>
  }) => ImapServer
  export default createServer
}
