/** What the editor of Markdown asks for while people write: how it will look, what completes a word, and a place for files. */
import { gemoji } from 'gemoji'
import { itemKinds } from '../../collaboration/item_kinds/item_kind.ts'
import { epicsAbove } from '../../planning/epics/queries.ts'
import { listProjectIssues } from '../../planning/issues/lists/endpoints.ts'
import { iterationsMatching } from '../../planning/iterations/queries.ts'
import { labelsIn } from '../../planning/labels/queries.ts'
import { milestonesMatching } from '../../planning/milestones/queries.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import { containing } from '../../platform/db/statements/like.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf, text } from '../../platform/kernel/declaration/types.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { part } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listProjectMergeRequests } from '../../review/merge_requests/lists/endpoints.ts'
import { allMembersOf } from '../../spaces/members/queries.ts'
import { memberPlaceOfProject } from '../../spaces/members/scope.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { createUpload } from '../../spaces/uploads/endpoints.ts'
import { ProjectUpload } from '../../spaces/uploads/entity.ts'
import { planningPlace } from '../issues/choices.ts'
import { labelDot } from './labels_view.ts'
import { renderTexts } from './texts.ts'

export const preview = formEndpoint({
  route: 'POST /:project_path/-/preview',
  summary: 'Show a text as it will look',
  scope: inProjectPage,
  can: 'read_project',
  // It writes nothing, and a text may wait for a thread: no connection to the database waits with it.
  writes: 'own',
  bodyLimit: 4 * 1024 * 1024,
  params: { text: text('The text in Markdown', { maxLength: 1_048_576, examples: ['Hello'] }) },
  async run(ctx) {
    const [shown] = await renderTexts(ctx, ctx.project, [ctx.params.text])
    return part(
      html`<div class="markdown-body">${ctx.params.text.trim() === '' ? html`<p class="muted">Nothing to show yet</p>` : shown}</div>`,
    )
  },
})

export const upload = formEndpoint({
  route: 'POST /:project_path/-/attachments',
  summary: 'Attach a file to a text',
  scope: inProjectPage,
  can: createUpload.can as Ability,
  params: createUpload.params,
  bodyLimit: createUpload.bodyLimit as number,
  writes: 'own',
  errors: createUpload.errors as never,
  async run(ctx) {
    const [made] = await presentAll(ProjectUpload, ctx, [await createUpload.run(ctx as never)])
    return part(html`${made?.markdown}`)
  },
})

/** Completions that are offered. */
const FEW = 8

interface Completion {
  /** What stands in the text afterwards. */
  readonly value: string
  readonly label: string
  readonly detail?: string | undefined
  readonly color?: string
}

type Caller = Context & { readonly project: ProjectWithRole }

const may = ({ actor, project }: Caller, ability: Ability): boolean => allows(actor, ability, projectSubject(project)) === 'yes'

const quoted = (sigil: string, name: string): string => (/^[\w./-]+$/.test(name) ? `${sigil}${name}` : `${sigil}"${name}"`)

const lists: Readonly<Record<string, (ctx: Caller, search: string) => Promise<readonly Completion[]>>> = {
  async user(ctx, search) {
    if (!may(ctx, 'read_project_members')) return []
    const rows = await allMembersOf(ctx.db, memberPlaceOfProject(ctx.project), { query: search }).limit(FEW).execute()
    return rows.map(({ username, name }) => ({ value: `@${username}`, label: username, detail: name }))
  },
  async label(ctx, search) {
    if (!may(ctx, 'read_label')) return []
    const rows = await labelsIn(ctx.db, ctx.actor, planningPlace(ctx.project), {})
      .where('labels.name', 'ilike', containing(search))
      .orderBy('labels.name')
      .limit(FEW)
      .execute()
    return rows.map(({ name, color, description }) => ({ value: quoted('~', name), label: name, color, detail: description ?? undefined }))
  },
  async milestone(ctx, search) {
    if (!may(ctx, 'read_milestone')) return []
    const rows = await milestonesMatching(ctx.db, planningPlace(ctx.project), { include_parent_milestones: true, state: 'active' })
      .where('milestones.title', 'ilike', containing(search))
      .limit(FEW)
      .execute()
    return rows.map(({ title, due_date }) => ({ value: quoted('%', title), label: title, detail: due_date ?? undefined }))
  },
  async iteration(ctx, search) {
    if (ctx.tier === 'free' || !may(ctx, 'read_issue')) return []
    const rows = await iterationsMatching(ctx.db, planningPlace(ctx.project), { search }, ctx.now.toISOString().slice(0, 10))
      .limit(FEW)
      .execute()
    return rows.map(({ title, start_date, due_date }) => ({
      value: quoted('', title),
      label: title,
      detail: `${start_date} to ${due_date}`,
    }))
  },
  async epic_id(ctx, search) {
    if (ctx.tier === 'free' || !may(ctx, 'read_issue')) return []
    const rows = await epicsAbove(ctx.db, ctx.actor, planningPlace(ctx.project).above)
      .where('epics.title', 'ilike', containing(search))
      .limit(FEW)
      .execute()
    return rows.map(({ id, iid, title }) => ({ value: String(id), label: `&${iid}`, detail: title }))
  },
  async issue(ctx, search) {
    if (!may(ctx, 'read_issue')) return []
    const { rows } = await answerOf(ctx, listProjectIssues, { ...byNumberOrWords(search), per_page: FEW })
    return rows.map(({ iid, title }: { iid: number; title: string }) => ({ value: `#${iid}`, label: `#${iid}`, detail: title }))
  },
  async merge_request(ctx, search) {
    if (!may(ctx, 'read_merge_request')) return []
    const { rows } = await answerOf(ctx, listProjectMergeRequests, { ...byNumberOrWords(search), per_page: FEW })
    return rows.map(({ iid, title }: { iid: number; title: string }) => ({ value: `!${iid}`, label: `!${iid}`, detail: title }))
  },
  async emoji(_ctx, search) {
    const found = gemoji.flatMap(({ names, emoji }) =>
      names.filter(name => name.includes(search.toLowerCase())).map(name => ({ name, emoji })),
    )
    return found
      .sort((a, b) => a.name.indexOf(search) - b.name.indexOf(search) || a.name.length - b.name.length)
      .slice(0, FEW)
      .map(({ name, emoji }) => ({ value: `:${name}:`, label: emoji, detail: name }))
  },
  async command(ctx, search) {
    if (!may(ctx, 'create_note')) return []
    const names = new Set(itemKinds.value.filter(kind => kind.within === 'project').flatMap(kind => [...kind.writing.actions.keys()]))
    return [...names]
      .filter(name => name.startsWith(search.toLowerCase()))
      .sort()
      .slice(0, FEW)
      .map(name => ({ value: `/${name}`, label: `/${name}` }))
  },
}

const byNumberOrWords = (search: string) => (/^\d+$/.test(search) ? { iids: search } : search === '' ? {} : { search, in: 'title' })

const completionKinds = ['user', 'label', 'milestone', 'issue', 'merge_request', 'emoji', 'command', 'iteration', 'epic_id'] as const

export const showCompletions = pageEndpoint({
  route: 'GET /:project_path/-/completions',
  summary: 'Show what completes a word of a text',
  scope: inProjectPage,
  can: 'read_project',
  params: {
    kind: OneOf(completionKinds, { description: 'What is named', default: 'user' }),
    search: text('What is typed so far', { maxLength: 100, default: '' }),
  },
  async run(ctx): Promise<ByteAnswer> {
    const { kind, search } = ctx.params
    const found = await (lists[kind] as (typeof lists)[string])(ctx, search)
    return part(html`${found.map(optionView)}`)
  },
})

const optionView = ({ value, label, detail, color }: Completion, index: number): Html =>
  html`<li role="option" id="completion-${index}" data-value="${value}">${color !== undefined && labelDot(color)} <span class="strong">${label}</span>${detail !== undefined && html` <span class="muted small">${detail}</span>`}</li>`
