/** A real mail server for tests, which can refuse, defer and die, and what it received. */
import { SMTPServer } from 'smtp-server'
import { atEnd } from '../../../test/at_end.ts'
import { eventually } from '../../../test/eventually.ts'

/** A mail as it arrived. */
export interface Received {
  readonly from: string
  readonly to: readonly string[]
  /** As they were sent, without the folding of long ones. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The one header of this name, in any case. */
  header(name: string): string | undefined
  readonly text: string
  readonly html: string
  readonly user: string | undefined
}

/** What the server does with a mail. `die`: it takes the whole of it and goes away without a word. */
export type Reaction = 'take' | 'refuse' | 'defer' | 'die'

export interface MailServer {
  readonly port: number
  readonly received: Received[]
  /** What it does with the next mails; afterwards it takes all. */
  react(...reactions: Reaction[]): void
  /** Waits for a mail to this address that was not waited for before. */
  mailTo(address: string): Promise<Received>
}

const answer = (message: string, responseCode: number) => Object.assign(new Error(message), { responseCode })

/** Starts a mail server on this machine, which ends with the file. */
export async function startMailServer(credentials?: { readonly user: string; readonly password: string }): Promise<MailServer> {
  const received: Received[] = []
  const reactions: Reaction[] = []
  const seen = new Set<Received>()
  const server: SMTPServer = new SMTPServer({
    disabledCommands: credentials ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    authOptional: credentials === undefined,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === credentials?.user && password === credentials?.password
        ? done(null, { user: username })
        : done(answer('wrong user or password', 535)),
    onRcptTo: (_address, _session, done) =>
      done(reactions[0] === 'refuse' && reactions.shift() ? answer('no such mailbox', 550) : undefined),
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => void parts.push(part))
      stream.on('end', () => {
        const reaction = reactions.shift() ?? 'take'
        if (reaction === 'defer') return done(answer('come back later', 451))
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        received.push(parsed(Buffer.concat(parts).toString('utf8'), { from: mailFrom ? mailFrom.address : '', to, user: session.user }))
        if (reaction === 'die') for (const connection of server.connections) connection._socket?.destroy()
        else done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  atEnd(() => new Promise<void>(resolve => server.close(() => resolve())))
  return {
    port: (server.server.address() as { port: number }).port,
    received,
    react: (...next) => void reactions.push(...next),
    mailTo: address =>
      eventually(() => {
        const found = received.find(mail => !seen.has(mail) && mail.to.includes(address))
        if (found) seen.add(found)
        return found
      }, `a mail to ${address}`),
  }
}

/** The parts of a mail; enough of MIME for what nodemailer makes of ours. */
function parsed(source: string, { from, to, user }: { from: string; to: readonly string[]; user: unknown }): Received {
  const { headers, body } = sectionsOf(source)
  const header = (name: string) => headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1]
  const boundary = /boundary="?([^";]+)"?/.exec(header('content-type') ?? '')?.[1]
  const parts = boundary === undefined ? [{ headers, body }] : body.split(`\r\n--${boundary}`).map(sectionsOf)
  const partOf = (type: string) => {
    const part = parts.find(({ headers: own }) => own.some(([name, value]) => /^content-type$/i.test(name) && value.startsWith(type)))
    const encoding = part?.headers.find(([name]) => /^content-transfer-encoding$/i.test(name))?.[1]
    return decoded(part?.body ?? '', encoding)
  }
  return {
    from,
    to,
    headers,
    header,
    text: partOf('text/plain'),
    html: partOf('text/html'),
    user: user === undefined ? undefined : String(user),
  }
}

function sectionsOf(source: string) {
  const [head = '', ...rest] = source.replace(/^\r\n/, '').split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = lines.flatMap(line => {
    const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  return { headers, body: rest.join('\r\n\r\n') }
}

function decoded(body: string, encoding: string | undefined): string {
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString('utf8')
      : encoding === 'quoted-printable'
        ? Buffer.from(
            body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          ).toString('utf8')
        : body
  return text.replaceAll('\r\n', '\n')
}
