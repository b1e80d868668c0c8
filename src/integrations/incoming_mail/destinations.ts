/** Where mails go, and the comments that answer notifications. */

import type { Actor } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { AttachedFile, IncomingMessage } from '../../platform/mail/incoming/message.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { Answerable } from '../notifications/reply_address.ts'
import { replyTarget, writeReply } from './comment.ts'
import { senderOf } from './sender.ts'
import { once } from './taken.ts'

/** A mail that may be taken: who wrote it, and what follows. */
export interface Accepted {
  readonly actor: Actor
  /** Where its files go; undefined where they go nowhere. */
  readonly project: ProjectWithRole | undefined
  readonly text: string
  /** The actor has no account of their own: files count as those of outsiders. */
  readonly isOutsider?: true
  /** The files that become uploads. Default: all. */
  readonly uploads?: readonly AttachedFile[]
  /** Its subject says enough: a mail without a text is taken. */
  readonly mayBeEmpty?: true
  /**
   * Writes what follows, in a transaction in which `claim` and `after` are called; false where `claim` says that it was taken before, as `isTaken`
   * says before the transaction.
   * @throws MailRefused, and the refusals of the API
   */
  write(
    ctx: Context,
    body: string,
    claim: (ctx: Context) => Promise<boolean>,
    after: (ctx: Context) => Promise<void>,
    isTaken: () => Promise<boolean>,
  ): Promise<boolean>
}

/** Looks at a mail; undefined where nobody is left whose mail it could be. @throws MailRefused */
export type Destination = (ctx: Context, message: IncomingMessage) => Promise<Accepted | undefined>

/** The comment of a person who got a notification. */
export const toItem =
  (answerable: Answerable): Destination =>
  async (ctx, { from, unquoted }) => {
    const actor = await senderOf(ctx.db, answerable.userId, from?.address ?? '')
    if (!actor) return undefined
    const { noteable } = await replyTarget({ ...ctx, actor }, answerable)
    return {
      actor,
      project: noteable.project,
      text: unquoted,
      write: (acting, body, claim, after) =>
        once(acting, claim, async tx => {
          // Again in the transaction: rights may have changed meanwhile.
          await writeReply(tx, await replyTarget(tx, answerable), body)
          await after(tx)
        }),
    }
  }
