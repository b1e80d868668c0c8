/**
 * Reads the mailbox of `INGOT_IMAP_URL`. One process of all is at it; the others wait until it is gone. What was taken or refused is deleted there, once
 * the database has it; what is not for this instance is marked as read. A mail that fails stays, and is tried again.
 */

import { Readable } from 'node:stream'
import type { ImapFlow } from 'imapflow'
import type { PoolClient } from '../../../platform/db/pool.ts'
import { pause } from '../../../platform/events/lease.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import type { ImapMailbox } from '../../../platform/mail/incoming/addresses.ts'
import { LARGEST_MAIL } from '../../../platform/mail/incoming/message.ts'
import { type Outcome, receiveMail, refuseLarge } from '../receive.ts'
import { withSpooled } from '../spool.ts'

/** The advisory lock of the process that reads it; any number that is always the same. */
const LOCK = [1_229_867_348, 7_341_992] as const

/** Milliseconds after which it is looked at again, where its server announces nothing. */
const POLL = 30_000
/** Milliseconds between attempts to connect: the first and the longest pause. */
const PAUSES = { first: 1_000, longest: 5 * 60_000 } as const
/** Attempts for a mail that fails; afterwards it is marked, and left. */
const MOST_ATTEMPTS = 5

const isHere = (host: string): boolean => /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/.test(host)

/** Something that reads the mailbox. */
export interface MailboxReader {
  stop(): Promise<void>
}

/** Starts to read the mailbox, if there is one. `poll`: milliseconds between looks, and until another process takes over. */
export function startMailbox(deps: Deps, { poll = POLL }: { readonly poll?: number } = {}): MailboxReader {
  const { imapUrl } = deps.config
  const stopping = new AbortController()
  const ended = imapUrl ? new Reader(deps, imapUrl, stopping.signal, poll).run() : Promise.resolve()
  return {
    stop: () => {
      stopping.abort()
      return ended
    },
  }
}

/** A client for the mailbox, which is not connected. Its library is loaded where there is a mailbox. */
export async function mailboxClient({ host, port, isSecure, user, password }: ImapMailbox): Promise<ImapFlow> {
  const library = await import('imapflow')
  return new library.ImapFlow({
    host,
    port,
    secure: isSecure,
    // A password is not sent where others can read it.
    ...(!isSecure && { doSTARTTLS: !isHere(host) }),
    auth: { user, pass: password.reveal() },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: 30_000,
    socketTimeout: 10 * 60_000,
  })
}

class Reader {
  readonly #deps: Deps
  readonly #mailbox: ImapMailbox
  readonly #signal: AbortSignal
  readonly #poll: number
  /** Failures of mails, by their ids in the mailbox. */
  readonly #failures = new Map<number, number>()

  constructor(deps: Deps, mailbox: ImapMailbox, signal: AbortSignal, poll: number) {
    this.#deps = deps
    this.#mailbox = mailbox
    this.#signal = signal
    this.#poll = poll
  }

  /** Reads until the signal is given. */
  async run(): Promise<void> {
    let wait: number = PAUSES.first
    while (!this.#signal.aborted) {
      let holder: PoolClient | undefined
      try {
        holder = await this.#deps.database.pool.connect()
        const { rows } = await holder.query<{ won: boolean }>('select pg_try_advisory_lock($1, $2) as won', [...LOCK])
        if (rows[0]?.won) await this.#read(holder, () => (wait = PAUSES.first))
        else await pause(this.#poll, this.#signal)
      } catch (error) {
        if (this.#signal.aborted) break
        this.#deps.log.warn({ err: error, host: this.#mailbox.host }, 'the mailbox cannot be read')
        await pause(wait, this.#signal)
        wait = Math.min(wait * 2, PAUSES.longest)
      } finally {
        // Closing the connection frees the lock.
        holder?.release(true)
      }
    }
  }

  /** Reads as long as the connection and the lock hold. @throws what ended it */
  async #read(holder: PoolClient, onConnected: () => void): Promise<void> {
    const client = await mailboxClient(this.#mailbox)
    const broken = Promise.withResolvers<never>()
    broken.promise.catch(() => {})
    client.on('error', broken.reject)
    client.on('close', () => broken.reject(new Error('the mail server closed the connection')))
    const close = () => client.close()
    this.#signal.addEventListener('abort', close)
    try {
      await client.connect()
      await client.mailboxOpen(this.#mailbox.folder)
      onConnected()
      while (!this.#signal.aborted) {
        // The lock is this connection's: where that is gone, another process may be at it.
        await holder.query('select 1')
        const changed = this.#change(client)
        await Promise.race([this.#takeAll(client), broken.promise])
        if (this.#signal.aborted) break
        client.idle().catch(broken.reject)
        await Promise.race([changed.promise, broken.promise])
      }
    } finally {
      this.#signal.removeEventListener('abort', close)
      client.close()
    }
  }

  /** Resolves when something came in, after a while, or when it ends. */
  #change(client: ImapFlow): { readonly promise: Promise<void> } {
    const { promise, resolve } = Promise.withResolvers<void>()
    const come = () => resolve()
    client.once('exists', come)
    pause(this.#poll, this.#signal).then(resolve, resolve)
    // The connection stays for days: each look would leave a listener on it.
    void promise.then(() => client.off('exists', come))
    return { promise }
  }

  async #takeAll(client: ImapFlow): Promise<void> {
    const unread = await client.search({ seen: false }, { uid: true })
    for (const uid of unread || []) {
      if (this.#signal.aborted) return
      await this.#take(client, uid)
    }
  }

  async #take(client: ImapFlow, uid: number): Promise<void> {
    const on = { uid: true } as const
    let outcome: Outcome
    try {
      outcome = await this.#receive(client, uid)
    } catch (error) {
      if (this.#signal.aborted || !client.usable) throw error
      const failures = (this.#failures.get(uid) ?? 0) + 1
      this.#failures.set(uid, failures)
      this.#deps.log.error({ err: error, uid, failures }, 'a mail of the mailbox could not be taken')
      if (failures < MOST_ATTEMPTS) return
      this.#failures.delete(uid)
      await client.messageFlagsAdd(String(uid), ['\\Seen', '\\Flagged'], on)
      return
    }
    this.#failures.delete(uid)
    if (outcome === 'ignored') await client.messageFlagsAdd(String(uid), ['\\Seen'], on)
    else await client.messageDelete(String(uid), on)
  }

  async #receive(client: ImapFlow, uid: number): Promise<Outcome> {
    const found = await client.fetchOne(String(uid), { size: true }, { uid: true })
    // Someone else deleted it.
    if (!found) return 'known'
    if ((found.size ?? 0) > LARGEST_MAIL) {
      const large = await client.fetchOne(String(uid), { headers: true }, { uid: true })
      const headers = large ? (large.headers ?? Buffer.alloc(0)) : Buffer.alloc(0)
      return withSpooled(this.#deps, Readable.from([headers]), spooled => refuseLarge(this.#deps, spooled, []))
    }
    const { content } = await client.download(String(uid), undefined, { uid: true })
    return content === undefined ? 'known' : withSpooled(this.#deps, content, spooled => receiveMail(this.#deps, spooled, []))
  }
}
