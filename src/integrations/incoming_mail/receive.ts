/**
 * What becomes of a mail that came in. All of it or nothing, and once: what follows from it is written in one transaction with the mark that it was
 * taken, and a mail that could not be taken (the database is away) stays with who handed it in.
 */
import { transact } from '../../platform/db/transact.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import { Refusal, sentenceOf } from '../../platform/kernel/errors.ts'
import { keyIn } from '../../platform/mail/incoming/addresses.ts'
import { type IncomingMessage, LARGEST_MAIL } from '../../platform/mail/incoming/message.ts'
import { readMessage } from '../../platform/mail/incoming/read.ts'
import { answerMail, type MailAnswer } from './answers.ts'
import type { Destination } from './destinations.ts'
import { keepFiles } from './files.ts'
import { destinationOf, possibleDestinationOf } from './keys.ts'
import { MailRefused } from './refused.ts'
import type { SpooledMail } from './spool.ts'
import { isTaken, markOf, take } from './taken.ts'

/** What became of a mail: `ignored` where nothing followed and nobody is to know, `refused` where its sender gets to know why. */
export type Outcome = 'taken' | 'refused' | 'ignored' | 'known'

interface Addressed {
  readonly key: string
  readonly destination: Destination
}

/** The first of its addresses that this instance made. */
function addressedTo({ deps }: Context, addresses: readonly string[]): Addressed | undefined {
  const { incomingMail } = deps.config
  if (!incomingMail) return undefined
  const keys = addresses.flatMap(address => keyIn(incomingMail, address) ?? [])
  for (const find of [(key: string) => destinationOf(deps, key), possibleDestinationOf])
    for (const key of keys) {
      const destination = find(key)
      if (destination) return { key, destination }
    }
  return undefined
}

/**
 * Takes a mail.
 * @param envelope addresses that its server or service names, besides those in its headers
 * @throws what keeps it from being taken now: it is to be handed in again
 */
export async function receiveMail(deps: Deps, spooled: SpooledMail, envelope: readonly string[]): Promise<Outcome> {
  const ctx = systemContext(deps, deps.database.db)
  const message = await readMessage(spooled.file, new URL(ctx.url).hostname)
  if (!message) return ignored(ctx, 'it is nested too deeply, or takes too long to read')
  const found = admitted(ctx, message, envelope)
  if (typeof found === 'string') return ignored(ctx, found)
  const mark = markOf(found.key, message.messageId, spooled.sha256)
  if (await isTaken(ctx.db, mark)) return 'known'
  return settle(ctx, message, mark, () => carryOut(ctx, found.destination, message, mark))
}

/**
 * Answers a mail that is too large to be taken.
 * @param headers its headers alone
 */
export async function refuseLarge(deps: Deps, headers: SpooledMail, envelope: readonly string[]): Promise<Outcome> {
  const ctx = systemContext(deps, deps.database.db)
  const message = await readMessage(headers.file, new URL(ctx.url).hostname)
  const found = message ? admitted(ctx, message, envelope) : 'it is too large, and cannot be read'
  if (!message || typeof found === 'string') return ignored(ctx, String(found))
  const mark = markOf(found.key, message.messageId, headers.sha256)
  if (await isTaken(ctx.db, mark)) return 'known'
  return settle(ctx, message, mark, async () => {
    throw new MailRefused(({ say }) => ({
      says: say('refused.too_large', { size: String(LARGEST_MAIL / (1024 * 1024)) }),
      advice: say('refused.too_large_advice'),
    }))
  })
}

/** Where a mail goes; or why nothing comes of it. */
function admitted(ctx: Context, message: IncomingMessage, envelope: readonly string[]): Addressed | string {
  if (message.automatic !== undefined) return `a program sent it: ${message.automatic}`
  if (!message.from) return 'it has no sender, or several'
  return addressedTo(ctx, [...envelope, ...message.recipients]) ?? 'it was sent to no address of this instance'
}

function ignored({ deps }: Context, reason: string): 'ignored' {
  deps.log.info({ reason }, 'a mail was not taken')
  return 'ignored'
}

/** Does the work; what is refused is answered by a mail, and taken with that. */
async function settle(ctx: Context, message: IncomingMessage, mark: string, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    const answer = answerTo(error)
    if (!answer) throw error
    return transact(ctx.db, async db => {
      if (!(await take(db, mark, ctx.now))) return 'known'
      await answerMail({ ...ctx, db }, message, answer)
      return 'refused'
    })
  }
}

/** What is said about an error; undefined for one that may pass. */
function answerTo(error: unknown): MailAnswer | undefined {
  if (error instanceof MailRefused) return error
  if (!(error instanceof Refusal) || error.kind === 'unavailable') return undefined
  // The refusals of the API are in English.
  return { because: ({ say }) => ({ says: say('answer.nothing_written', { because: sentenceOf(error) }) }) }
}

async function carryOut(ctx: Context, destination: Destination, message: IncomingMessage, mark: string): Promise<Outcome> {
  const accepted = await destination(ctx, message)
  if (!accepted) return ignored(ctx, 'the account of its address is gone')
  const { actor, project, text, write, uploads = message.files, isOutsider = false, mayBeEmpty = false } = accepted
  // The support bot writes for many, each with a limit of their own.
  if (!isOutsider) await ctx.deps.limiter.request(actor, '', 'write')
  const acting = { ...ctx, actor }
  const files = await keepFiles(acting, project, { ...message, files: uploads }, isOutsider)
  try {
    const body = files.below(text)
    if (body === '' && !mayBeEmpty)
      throw new MailRefused(({ say }) => ({ says: say('refused.no_text'), advice: say('refused.no_text_advice') }))
    const isFirst = await write(
      acting,
      body,
      tx => take(tx.db, mark, ctx.now),
      async tx => {
        if (files.leftOut.length > 0)
          await answerMail(tx, message, {
            because: ({ say, list }) => ({ says: say('answer.left_out', { files: list(files.leftOut) }) }),
            isPartial: true,
          })
      },
      () => isTaken(ctx.db, mark),
    )
    if (!isFirst) await files.remove()
    return isFirst ? 'taken' : 'known'
  } catch (error) {
    await files.remove()
    throw error
  }
}
