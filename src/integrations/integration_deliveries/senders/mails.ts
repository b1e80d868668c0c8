/** Mails about pushes and pipelines, to addresses that maintainers have named. */
import { userById } from '../../../identity/users/queries.ts'
import { transact } from '../../../platform/db/transact.ts'
import { zeroId } from '../../../platform/git/index.ts'
import { type MailText, type NewMail, writeMail } from '../../../platform/mail/outbox.ts'
import type { Words } from '../../../platform/mail/words/words.ts'
import { html } from '../../../platform/pages/html.ts'
import { failedJobs, minutesOf } from '../notices/notice.ts'
import { nameIn, refIn } from '../payload.ts'
import { pushedDiff } from './pushed_diff.ts'
import type { Sender, Sending } from './sender.ts'

/** Recipients of one mail. Contract: as many as the platform has (services API). */
const MOST_RECIPIENTS = 750

const addressesIn = (text: string): string[] =>
  [...new Set(text.split(/[\s,;]+/).filter(address => address.includes('@')))].slice(0, MOST_RECIPIENTS)

interface Written {
  readonly kind: string
  readonly says: (words: Words) => Omit<MailText, 'reason'>
  readonly addresses: readonly string[]
}

/** One mail for each address, each once. */
async function writeTo(sending: Sending, { kind, says, addresses }: Written): Promise<void> {
  const project = sending.payload.project.path_with_namespace
  const whole: NewMail['says'] = words => ({ ...says(words), reason: words.say('integration.reason', { project }) })
  for (const address of addresses)
    await sending.once(`mail:${address}`, () =>
      transact(sending.ctx.db, db => writeMail({ ...sending.ctx, db }, { kind, to: { address }, says: whole })),
    )
}

/** The commits of a push, and their differences unless they are left out. */
export const mailPush: Sender = async sending => {
  const { payload } = sending
  const ref = refIn(payload)
  if (!ref) return
  const { before = zeroId, after = zeroId, commits = [], project } = payload
  const path = project.path_with_namespace
  const diff = sending.flag('disable_diffs') || ref.isTag ? undefined : await pushedDiff(sending.ctx, project.id, { before, after })
  const noun = ref.isTag ? 'tag' : 'branch'
  const what = after === zeroId ? (`removed_${noun}` as const) : before === zeroId ? (`new_${noun}` as const) : noun
  await writeTo(sending, {
    kind: 'pushed',
    says: ({ say }) => {
      const head = say(`pushed.${what}`, { name: nameIn(payload), ref: ref.name, project: path })
      return {
        subject: `[${path}][${ref.name}] ${commits.at(-1)?.title ?? head}`,
        parts: [
          head,
          ...commits.map(({ id, title, author }) => `${id.slice(0, 8)} ${title} - ${author.name}`),
          ...(after === zeroId
            ? []
            : [{ action: say('pushed.show'), url: `${project.web_url}/-/${ref.isTag ? 'tags' : 'commits'}/${ref.name}` }]),
          ...(diff === undefined ? [] : [{ written: { text: diff, html: html`<pre>${diff}</pre>` } }]),
        ],
      }
    },
    addresses: addressesIn(sending.text('recipients')),
  })
}

/** The result of a pipeline. */
export const mailPipeline: Sender = async sending => {
  const { payload, ctx } = sending
  const { id, ref = '', tag, status, duration } = payload.object_attributes ?? ({} as never)
  if (status !== 'success' && status !== 'failed') return
  const result = status === 'success' ? 'passed' : 'failed'
  const project = payload.project.path_with_namespace
  const userId = (payload.user as { id?: number | null } | undefined)?.id
  const pusher = sending.flag('add_pusher') && userId != null ? await userById(ctx.db, userId) : undefined
  await writeTo(sending, {
    kind: 'pipeline_result',
    says: ({ say }) => ({
      subject: say(`pipeline_result.${result}_subject`, { project, ref }),
      parts: [
        say(`pipeline_result.${result}_${tag ? 'tag' : 'branch'}`, { id: String(id), ref, project, name: nameIn(payload) }),
        ...(duration == null ? [] : [{ facts: { [say('fact.took')]: minutesOf(duration) } }]),
        ...failedJobs(payload).map(({ name, stage }) => say('pipeline_result.failed_job', { job: name, stage })),
        { action: say('pipeline_result.show'), url: `${payload.project.web_url}/-/pipelines/${id}` },
      ],
    }),
    addresses: [...new Set([...addressesIn(sending.text('recipients')), ...(pusher ? [pusher.email] : [])])],
  })
}
