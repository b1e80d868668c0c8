/** What the editor of Markdown asks for while people write: how it will look, what completes a word, and a place for files. */
import { gemoji } from 'gemoji'
import { itemKinds } from '../../collaboration/item_kinds/item_kind.ts'
import type { ArgumentChoice } from '../../collaboration/quick_actions/action.ts'
import { listEpics } from '../../planning/epics/endpoints.ts'
import { epicsAbove } from '../../planning/epics/queries.ts'
import { listGroupIssues, listProjectIssues } from '../../planning/issues/lists/endpoints.ts'
import { iterationsMatching } from '../../planning/iterations/queries.ts'
import { labelsIn } from '../../planning/labels/queries.ts'
import { milestonesMatching } from '../../planning/milestones/queries.ts'
import { type Ability, allows, roles } from '../../platform/access/abilities.ts'
import { containing } from '../../platform/db/statements/like.ts'
import { listBranches, listTags } from '../../platform/git/index.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { OneOf, text, tierCovers } from '../../platform/kernel/declaration/types.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { part } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listGroupMergeRequests, listProjectMergeRequests } from '../../review/merge_requests/lists/endpoints.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import { allMembersOf } from '../../spaces/members/queries.ts'
import { memberPlaceOfGroup, memberPlaceOfProject } from '../../spaces/members/scope.ts'
import type { InPlanningPlace } from '../../spaces/places/places.ts'
import { listProjects } from '../../spaces/projects/endpoints.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import { createUpload } from '../../spaces/uploads/endpoints.ts'
import { ProjectUpload } from '../../spaces/uploads/entity.ts'
import { eitherHome, type GroupWithRole, type InEither, inPlanningGroupPage, inPlanningProjectPage, mayHere } from '../places/planning.ts'
import { labelDot } from './labels_view.ts'
import { renderTexts } from './texts.ts'

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

type Caller = Context & InEither & InPlanningPlace

/** The names in rows of the API's lists. */
interface Named {
  readonly iid: number
  readonly title: string
  readonly references: { readonly relative: string }
}

/** Items by their references as they are written here. */
const itemsOf = (rows: readonly Named[]): readonly Completion[] =>
  rows.map(({ title, references: { relative } }) => ({ value: relative, label: relative, detail: title }))

const quoted = (sigil: string, name: string): string => (/^[\w./-]+$/.test(name) ? `${sigil}${name}` : `${sigil}"${name}"`)

/** The group whose epics a text names by their numbers alone. */
async function groupOf({ db, actor, group, project }: Caller): Promise<GroupWithRole | undefined> {
  if (group || project?.namespace_kind !== 'group') return group
  return visibleGroup(db, actor, String(project.namespace_id))
}

const lists: Readonly<Record<string, (ctx: Caller, search: string) => Promise<readonly Completion[]>>> = {
  async user(ctx, search) {
    const { project, group } = ctx
    const here = project ? memberPlaceOfProject(project) : group && memberPlaceOfGroup(group)
    if (!here || !mayHere(ctx, project ? 'read_project_members' : 'read_group_members')) return []
    const rows = await allMembersOf(ctx.db, here, { query: search }).limit(FEW).execute()
    return rows.map(({ username, name }) => ({ value: `@${username}`, label: username, detail: name }))
  },
  async label(ctx, search) {
    if (!mayHere(ctx, ctx.project ? 'read_label' : 'read_group_label')) return []
    const rows = await labelsIn(ctx.db, ctx.actor, ctx.place, {})
      .where('labels.name', 'ilike', containing(search))
      .orderBy('labels.name')
      .limit(FEW)
      .execute()
    return rows.map(({ name, color, description }) => ({ value: quoted('~', name), label: name, color, detail: description ?? undefined }))
  },
  async milestone(ctx, search) {
    if (!mayHere(ctx, ctx.project ? 'read_milestone' : 'read_group_milestone')) return []
    const rows = await milestonesMatching(ctx.db, ctx.place, { include_parent_milestones: true, state: 'active' })
      .where('milestones.title', 'ilike', containing(search))
      .limit(FEW)
      .execute()
    return rows.map(({ title, due_date }) => ({ value: quoted('%', title), label: title, detail: due_date ?? undefined }))
  },
  async iteration(ctx, search) {
    if (ctx.tier === 'free' || !mayHere(ctx, ctx.project ? 'read_project_iteration' : 'read_iteration')) return []
    const rows = await iterationsMatching(ctx.db, ctx.place, { search }, ctx.now.toISOString().slice(0, 10)).limit(FEW).execute()
    return rows.map(({ title, start_date, due_date }) => ({
      value: quoted('', title),
      label: title,
      detail: `${start_date} to ${due_date}`,
    }))
  },
  async epic_id(ctx, search) {
    if (ctx.tier === 'free' || !mayHere(ctx, ctx.project ? 'read_issue' : 'read_epic')) return []
    const { above, key } = ctx.place
    const rows = await epicsAbove(ctx.db, ctx.actor, 'namespace_id' in key ? [...above, key.namespace_id] : above)
      .where('epics.title', 'ilike', containing(search))
      .limit(FEW)
      .execute()
    return rows.map(({ id, iid, title }) => ({ value: String(id), label: `&${iid}`, detail: title }))
  },
  async issue(ctx, search) {
    if (!mayHere(ctx, ctx.project ? 'read_issue' : 'read_group')) return []
    const list = ctx.project ? listProjectIssues : listGroupIssues
    return itemsOf((await answerOf(ctx, list, { ...byNumberOrWords(search), per_page: FEW })).rows)
  },
  async merge_request(ctx, search) {
    if (!mayHere(ctx, ctx.project ? 'read_merge_request' : 'read_group')) return []
    const list = ctx.project ? listProjectMergeRequests : listGroupMergeRequests
    return itemsOf((await answerOf(ctx, list, { ...byNumberOrWords(search), per_page: FEW })).rows)
  },
  async epic(ctx, search) {
    const group = tierCovers(ctx.tier, listEpics.tier) ? await groupOf(ctx) : undefined
    if (!group || allows(ctx.actor, 'read_epic', groupSubject(group)) !== 'yes') return []
    const { rows } = await answerOf({ ...ctx, group } as Context, listEpics, { state: 'opened', search, per_page: FEW })
    return itemsOf(rows)
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
  /** Projects in which the caller may plan. */
  async project(ctx, search) {
    const asked = { simple: 'true', min_access_level: roles.reporter, order_by: 'last_activity_at', per_page: FEW }
    const { rows } = await answerOf(ctx, listProjects, search === '' ? asked : { ...asked, search, search_namespaces: 'true' })
    return (rows as readonly { readonly path_with_namespace: string; readonly name: string }[])
      .filter(({ path_with_namespace }) => path_with_namespace !== ctx.project?.full_path)
      .map(({ path_with_namespace, name }) => ({ value: path_with_namespace, label: path_with_namespace, detail: name }))
  },
  branch: (ctx, search) => refsOf(ctx, search, listBranches),
  ref: async (ctx, search) => [
    ...(await refsOf(ctx, search, listBranches)),
    ...(await refsOf(ctx, search, listTags)).map(tag => ({ ...tag, detail: 'tag' })),
  ],
  async command(ctx, search) {
    const within = ctx.project ? 'project' : 'group'
    if (!mayHere(ctx, ctx.project ? 'create_note' : 'create_epic_note')) return []
    const actions = new Map(itemKinds.value.filter(kind => kind.within === within).flatMap(kind => [...kind.writing.actions]))
    const [, named = '', typed] = /^(\S*)(?: +(.*))?$/s.exec(search.toLowerCase()) ?? []
    if (typed !== undefined) return argumentsOf(ctx, named, actions.get(named)?.argument, typed)
    return (
      [...actions]
        .filter(([name]) => name.startsWith(named))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, FEW)
        // What has an argument that can be completed goes on with it.
        .map(([name, { argument }]) => ({ value: `/${name}${argument === undefined ? '' : ' '}`, label: `/${name}` }))
    )
  },
}

/** Branches or tags, the newest first, for callers who may read the code. One process. */
async function refsOf({ project, deps, actor }: Caller, search: string, list: typeof listBranches): Promise<readonly Completion[]> {
  const mayRead = project && allows(actor, 'read_code', projectSubject(project)) === 'yes'
  const repository = mayRead ? await findRepository(deps.storages, project) : undefined
  if (!repository) return []
  const refs = await list(repository, { order: 'updated', sort: 'desc' })
  return refs
    .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    .slice(0, FEW)
    .map(({ name }) => ({ value: name, label: name }))
}

/** What names issues before the one that is typed, and what is typed of that one. */
function lastNamed(typed: string): [string, string] {
  const before = typed.slice(0, Math.max(typed.lastIndexOf(' '), typed.lastIndexOf(',')) + 1)
  const areReferences = before.split(/[ ,]/).every(word => word === '' || /#\d+$/.test(word))
  const named = areReferences ? before : ''
  return [named, typed.slice(named.length).replace(/^#/, '')]
}

/** What completes the argument of a quick action, with the action before it. */
async function argumentsOf(ctx: Caller, action: string, choice: ArgumentChoice | undefined, typed: string): Promise<readonly Completion[]> {
  if (choice === undefined) return []
  // Several issues are named one after the other: the last one is completed.
  const [named, last] = choice === 'issue' ? lastNamed(typed) : ['', typed]
  const found =
    typeof choice === 'string'
      ? await (lists[choice] as (typeof lists)[string])(ctx, last)
      : choice.filter(value => value.startsWith(typed)).map(value => ({ value, label: value }))
  const before = `/${action} ${choice === 'iteration' ? '*iteration:' : ''}${named}`
  return found.map(completion => ({ ...completion, value: `${before}${completion.value}` }))
}

const byNumberOrWords = (search: string) => (/^\d+$/.test(search) ? { iids: search } : search === '' ? {} : { search, in: 'title' })

const completionKinds = [
  'user',
  'label',
  'milestone',
  'issue',
  'merge_request',
  'epic',
  'emoji',
  'command',
  'iteration',
  'epic_id',
  'branch',
  'ref',
] as const

/** What the editor asks for in a project or a group. */
function writingIn({ noun, route, scope, can }: PlaceOfTexts) {
  const preview = formEndpoint({
    route: `POST ${route}/-/preview`,
    summary: `Show a text of a ${noun} as it will look`,
    scope: scope as never,
    can: can as never,
    // It writes nothing, and a text may wait for a thread: no connection to the database waits with it.
    writes: 'own',
    bodyLimit: 4 * 1024 * 1024,
    params: { text: text('The text in Markdown', { maxLength: 1_048_576, examples: ['Hello'] }) },
    async run(input) {
      const ctx = input as unknown as Caller & { readonly params: { readonly text: string } }
      const [shown] = await renderTexts(ctx, eitherHome(ctx), [ctx.params.text])
      return part(
        html`<div class="markdown-body">${ctx.params.text.trim() === '' ? html`<p class="muted">Nothing to show yet</p>` : shown}</div>`,
      )
    },
  })
  const showCompletions = pageEndpoint({
    route: `GET ${route}/-/completions`,
    summary: `Show what completes a word of a text of a ${noun}`,
    scope: scope as never,
    can: can as never,
    params: {
      kind: OneOf(completionKinds, { description: 'What is named', default: 'user' }),
      search: text('What is typed so far', { maxLength: 100, default: '' }),
    },
    async run(input): Promise<ByteAnswer> {
      const ctx = input as unknown as Caller & { readonly params: { readonly kind: string; readonly search: string } }
      const { kind, search } = ctx.params
      const found = await (lists[kind] as (typeof lists)[string])(ctx, search)
      return part(html`${found.map(optionView)}`)
    },
  })
  return { preview, showCompletions }
}

interface PlaceOfTexts {
  readonly noun: 'project' | 'group'
  readonly route: '/:project_path' | '/groups/:group_path'
  readonly scope: Scope<InPlanningPlace>
  readonly can: Ability
}

export const writingInProject = writingIn({ noun: 'project', route: '/:project_path', scope: inPlanningProjectPage, can: 'read_project' })
export const writingInGroup = writingIn({ noun: 'group', route: '/groups/:group_path', scope: inPlanningGroupPage, can: 'read_group' })

const optionView = ({ value, label, detail, color }: Completion, index: number): Html =>
  html`<li role="option" id="completion-${index}" data-value="${value}">${color !== undefined && labelDot(color)} <span class="strong">${label}</span>${detail !== undefined && html` <span class="muted small">${detail}</span>`}</li>`
