/** Mirroring: the repositories elsewhere that a project pushes to, and the one that it pulls from, with how that goes. */
import * as api from '../../integrations/mirrors/endpoints.ts'
import { type PullMirrorRow, pullMirrorOf } from '../../integrations/mirrors/pull/queries.ts'
import type { RemoteMirrorRow } from '../../integrations/mirrors/push/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { tierCovers } from '../../platform/kernel/declaration/types.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { InEither } from '../places/planning.ts'
import { projectHome } from '../things/homes.ts'
import { thingPages } from '../things/things.ts'

/** After the path of the project. */
export const MIRRORS = '/-/settings/mirrors'

type State = Pick<RemoteMirrorRow | PullMirrorRow, 'update_status' | 'last_error' | 'last_successful_update_at' | 'last_update_started_at'>
type Row = Pick<RemoteMirrorRow, 'id' | 'url' | 'enabled' | 'only_protected_branches' | 'keep_divergent_refs'> & State

const statuses: Readonly<Record<string, readonly [text: string, tone: 'plain' | 'accent' | 'success' | 'attention' | 'danger']>> = {
  none: ['Not updated yet', 'plain'],
  started: ['Updating', 'accent'],
  finished: ['Up to date', 'success'],
  to_retry: ['Tried again soon', 'attention'],
  failed: ['Failed', 'danger'],
}

/** How updates go: the state, when the last good one was, and why the last one failed. */
function stateView({ update_status, last_error, last_successful_update_at }: State, isOn: boolean): Html {
  const [text, tone] = isOn ? (statuses[update_status] ?? [update_status, 'plain']) : ['Off', 'plain' as const]
  return html`${chip(text, tone)}${last_successful_update_at && html`<span>updated ${time(last_successful_update_at)}</span>`}${last_error && html`<span class="break">${last_error}</span>`}`
}

/** The pull mirror, before the list of push mirrors. */
async function pulling(ctx: Context & InEither): Promise<Html | undefined> {
  const { db, tier } = ctx
  const project = ctx.project as ProjectWithRole
  if (!tierCovers(tier, 'premium')) return undefined
  const state = project.mirror ? await pullMirrorOf(db, project.id) : undefined
  const to = `${projectHome.pathOf(ctx)}${MIRRORS}/pull`
  const change = html`<a class="btn btn-sm" href="${to}">${project.mirror ? 'Change' : 'Set up'}</a>`
  const from = project.import_url ?? 'No address is set to pull from'
  const pulled =
    state &&
    html`<ul class="list"><li>${icon('download')}<div class="main"><div class="title break">${from}</div><div class="facts">${stateView(state, true)}</div></div></li></ul>`
  return html`<section class="section" aria-labelledby="pull"><div class="heading"><h2 id="pull">Pull</h2><div class="row">${state && projectHome.may(ctx, 'admin_mirrors') && actionButton(ctx, { to: `${to}/now`, face: 'Pull now', label: 'Pull now' })}${change}</div></div>
${pulled ?? html`<p class="muted">The project does not pull. A project that pulls follows a repository elsewhere: its branches and tags come here every half hour.</p>`}</section>
<div class="heading section"><h2 id="push">Push</h2></div>`
}

const fields = (isNew: boolean): readonly FieldSpec[] => [
  {
    name: 'url',
    label: 'Address of the repository',
    control: 'text',
    required: true,
    ...(isNew && { autofocus: true }),
    placeholder: 'https://name:token@git.example.com/team/copy.git',
    hint: isNew
      ? 'Over http or https, with a name and a password or token that may push there. They are kept encrypted and shown nowhere.'
      : 'As it stands here it stays as it is. For other credentials or another repository: the whole address, with name and token.',
  },
  { name: 'enabled', label: 'Update it after each push', hint: '' },
  { name: 'only_protected_branches', label: 'Only protected branches', hint: 'And all tags.' },
  {
    name: 'keep_divergent_refs',
    label: 'Leave what has diverged as it is',
    hint: 'Otherwise branches and tags there are overwritten, and those that are gone here and merged are deleted there.',
  },
]

export const mirrorPages = thingPages<InEither, Row>({
  home: projectHome,
  path: MIRRORS,
  key: 'mirrors',
  title: 'Mirroring',
  icon: 'sync',
  purpose: 'A push mirror is a repository elsewhere that gets the branches and tags of this one after each push.',
  list: api.listRemoteMirrors,
  before: pulling,
  row: mirror =>
    html`<div class="title break">${mirror.url}</div><div class="facts">${stateView(mirror, mirror.enabled)}${mirror.only_protected_branches && html`<span>only protected branches</span>`}${mirror.keep_divergent_refs && html`<span>keeps what has diverged</span>`}</div>`,
  labelOf: ({ url }) => url,
  idOf: ({ id }) => id,
  id: 'mirror_id',
  add: {
    of: api.createRemoteMirror,
    title: 'Add push mirror',
    fields: () => fields(true),
    values: () => ({ enabled: true }),
    notice: 'The mirror was added.',
  },
  edit: {
    of: api.updateRemoteMirror,
    named: ({ mirror }: { readonly mirror: RemoteMirrorRow }) => mirror.url,
    fields: () => fields(false),
    values: ({ mirror }: { readonly mirror: RemoteMirrorRow }) => ({ ...mirror }),
    notice: 'The mirror was changed.',
  },
  actions: [
    {
      key: 'sync',
      of: api.syncRemoteMirror,
      button: 'Update now',
      isFor: ({ enabled }: Row) => enabled,
      notice: 'The update begins. Load the page again to see how it went.',
    },
  ],
  remove: { of: api.deleteRemoteMirror, button: 'Remove', notice: 'The mirror was removed. What it has pushed stays where it is.' },
})

export const pullNow = action<InEither>({
  route: `POST /:project_path${MIRRORS}/pull/now`,
  of: api.startPull,
  scope: projectHome.inPage(api.startPull.scope),
  next: ctx => `${projectHome.pathOf(ctx)}${MIRRORS}`,
  notice: 'The project pulls. Load the page again to see how it went.',
})
