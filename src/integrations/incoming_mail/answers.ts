/**
 * Mails that say why nothing came of a mail. Only to addresses that hold a key of this instance, so many an hour, never to a program: nobody makes
 * this server write to strangers, and two servers do not write to each other for ever.
 */
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Context } from '../../platform/kernel/context.ts'
import type { IncomingMessage } from '../../platform/mail/incoming/message.ts'
import { writeMail } from '../../platform/mail/outbox.ts'
import type { MailRefused } from './refused.ts'

/** Mails of this kind that an address gets from this process in an hour. */
const MOST = 10
const answers = new RateLimiterMemory({ points: MOST, duration: 60 * 60 })

/** Why nothing came of a mail, or not all of it; in the words of who wrote it. */
export interface MailAnswer {
  readonly because: MailRefused['because']
  /** The mail was taken all the same, without a part of it. */
  readonly isPartial?: true
}

/** Answers a mail in the transaction of `ctx`. */
export async function answerMail(
  ctx: Pick<Context, 'db' | 'deps' | 'now' | 'url'>,
  { from, subject, messageId }: Pick<IncomingMessage, 'from' | 'subject' | 'messageId'>,
  { because, isPartial }: MailAnswer,
): Promise<void> {
  if (!from) return
  const isWithin = await answers.consume(from.address.toLowerCase()).then(
    () => true,
    () => false,
  )
  if (!isWithin) return ctx.deps.log.warn({}, 'an address gets no more answers to its mails for now')
  await writeMail(ctx, {
    kind: isPartial ? 'mail_taken_in_part' : 'mail_refused',
    to: { address: from.address },
    says: words => {
      const { says, advice } = because(words)
      const title = isPartial ? 'answer.in_part' : 'answer.not_taken'
      return {
        subject: subject === '' ? words.say(`${title}_unnamed`) : words.say(title, { subject }),
        parts: [says, ...(advice === undefined ? [] : [advice])],
        reason: words.say('answer.reason'),
      }
    },
    ...(messageId !== undefined && { answers: messageId }),
  })
}
