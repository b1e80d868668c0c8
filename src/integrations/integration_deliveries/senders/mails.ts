/** Mails about pushes and pipelines, to addresses that maintainers have named. */
import { userById } from '../../../identity/users/queries.ts'
import { transact } from '../../../platform/db/transact.ts'
import { zeroId } from '../../../platform/git/index.ts'
import type { MailPart } from '../../../platform/mail/content.ts'
import { writeMail } from '../../../platform/mail/outbox.ts'
import { html } from '../../../platform/pages/html.ts'
import { plainLine } from '../notices/markups.ts'
import { noticeOf } from '../notices/notice.ts'
import { refIn } from '../payload.ts'
import { pushedDiff } from './pushed_diff.ts'
import type { Sender, Sending } from './sender.ts'

/** Recipients of one mail. Contract: as many as the platform has (services API). */
const MOST_RECIPIENTS = 750

const addressesIn = (text: string): string[] =>
  [...new Set(text.split(/[\s,;]+/).filter(address => address.includes('@')))].slice(0, MOST_RECIPIENTS)

interface Written {
  readonly kind: string
  readonly subject: string
  readonly parts: readonly MailPart[]
  readonly addresses: readonly string[]
}

/** One mail for each address, each once. */
async function writeTo(sending: Sending, { kind, subject, parts, addresses }: Written): Promise<void> {
  const reason = `Maintainers of ${sending.payload.project.path_with_namespace} have this sent to your address.`
  for (const address of addresses)
    await sending.once(`mail:${address}`, () =>
      transact(sending.ctx.db, db => writeMail({ ...sending.ctx, db }, { kind, to: { address }, subject, parts, reason })),
    )
}

/** The commits of a push, and their differences unless they are left out. */
export const mailPush: Sender = async sending => {
  const { payload } = sending
  const notice = noticeOf(payload)
  const ref = refIn(payload)
  if (!notice || !ref) return
  const { before = zeroId, after = zeroId, commits = [], project } = payload
  const diff = sending.flag('disable_diffs') || ref.isTag ? undefined : await pushedDiff(sending.ctx, project.id, { before, after })
  const commitParts = commits.map(({ id, title, author }) => `${id.slice(0, 8)} ${title} - ${author.name}`)
  await writeTo(sending, {
    kind: 'pushed',
    subject: `[${project.path_with_namespace}][${ref.name}] ${commits.at(-1)?.title ?? plainLine(notice.head)}`,
    parts: [
      plainLine(notice.head),
      ...commitParts,
      ...(after === zeroId ? [] : [{ action: 'Show it', url: `${project.web_url}/-/${ref.isTag ? 'tags' : 'commits'}/${ref.name}` }]),
      ...(diff === undefined ? [] : [{ written: { text: diff, html: html`<pre>${diff}</pre>` } }]),
    ],
    addresses: addressesIn(sending.text('recipients')),
  })
}

/** The result of a pipeline. */
export const mailPipeline: Sender = async sending => {
  const { payload, ctx } = sending
  const notice = noticeOf(payload)
  if (!notice) return
  const { id, ref = '', status } = payload.object_attributes ?? ({} as never)
  const userId = (payload.user as { id?: number | null } | undefined)?.id
  const pusher = sending.flag('add_pusher') && userId != null ? await userById(ctx.db, userId) : undefined
  await writeTo(sending, {
    kind: 'pipeline_result',
    subject: `[${payload.project.path_with_namespace}] ${status === 'success' ? 'Passed' : 'Failed'} pipeline for ${ref}`,
    parts: [
      plainLine(notice.head),
      ...notice.lines.map(plainLine),
      { action: 'Show the pipeline', url: `${payload.project.web_url}/-/pipelines/${id}` },
    ],
    addresses: [...new Set([...addressesIn(sending.text('recipients')), ...(pusher ? [pusher.email] : [])])],
  })
}
