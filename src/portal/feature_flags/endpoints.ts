/** The pages of the feature flags of a project: the flags with their switches, their strategies, and how an application reads them. */
import * as api from '../../delivery/feature_flags/endpoints.ts'
import type { FlagRow } from '../../delivery/feature_flags/queries.ts'
import { getFeatureFlagsClient, resetFeatureFlagsClientToken } from '../../delivery/feature_flags/unleash/endpoints.ts'
import * as userLists from '../../delivery/feature_flags/user_lists/endpoints.ts'
import { userListsOf } from '../../delivery/feature_flags/user_lists/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { copyField } from '../../platform/pages/components/copy.ts'
import { hidden, revealedPage } from '../../platform/pages/components/revealed.ts'
import { time } from '../../platform/pages/components/time.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { eitherPath, eitherPlace, type InEither, mayHere } from '../places/planning.ts'
import { thingPages } from '../things/things.ts'
import { CLIENT, FLAGS, flagsHome, TAB, USER_LISTS } from './home.ts'
import { rowParams, rowsField, rowsOf, strategiesIn } from './rows.ts'

/** A flag as the API shows it. */
type Flag = Pick<FlagRow, 'name' | 'description' | 'active' | 'updated_at' | 'strategies'>

/** Whom a strategy is on for, in words. */
function whomOf({ name, parameters, user_list }: Flag['strategies'][number]): string {
  if (user_list) return `the list “${user_list.name}”`
  if (name === 'userWithId') {
    const ids = (parameters.userIds ?? '').split(',')
    return ids.length === 1 ? `the user ${ids[0]}` : `${ids.length} users`
  }
  if (name === 'gradualRolloutUserId') return `${parameters.percentage} % of user ids`
  return name === 'flexibleRollout' ? `${parameters.rollout} % of users` : 'all users'
}

const strategyView = (strategy: Flag['strategies'][number]): Html => {
  const where = strategy.scopes.map(({ environment_scope }) => (environment_scope === '*' ? 'all environments' : environment_scope))
  return html`<span>for ${whomOf(strategy)} in ${where.length === 0 ? 'no environment' : where.join(', ')}</span>`
}

const clientPath = (subjects: InEither, rest = ''): string => eitherPath(subjects, `${CLIENT}${rest}`)

/** How an application reads the flags. */
const connecting = (ctx: Context & InEither): Html =>
  html`<section class="section"><h2 id="connect">Read them from an application</h2>
<p class="muted">Applications ask by a client of Unleash, with this address and instance ID, and with the name of their environment as the name of the application. A list of clients, and an example, are in the <a href="/help/environments#feature-flags">handbook</a>.</p>
<div class="field"><span class="label">Address</span>${copyField('the address', `${ctx.url}/api/v4/feature_flags/unleash/${ctx.project?.id}`)}</div>
<div class="field"><span class="label">Instance ID</span><div class="row">${hidden({ id: 'instance-id', to: clientPath(ctx, '/instance_id'), label: 'Show the instance ID' })}${
    mayHere(ctx, resetFeatureFlagsClientToken.can) &&
    actionButton(ctx, {
      to: clientPath(ctx, '/reset_token'),
      face: 'Replace',
      label: 'Replace the instance ID',
      asks: 'Replace the instance ID? Applications that have the present one read no flags until they have the new one.',
    })
  }</div></div></section>`

/** Without their users, which can be many. */
const listsOf = ({ db, project }: Context & InEither) =>
  userListsOf(db, (project as ProjectWithRole).id)
    .clearSelect()
    .select(['id', 'name'])
    .execute()

const switching = (isOn: boolean) => ({
  key: isOn ? 'enable' : 'disable',
  of: api.updateFeatureFlag,
  button: isOn ? 'Switch on' : 'Switch off',
  isFor: ({ active }: Flag) => active !== isOn,
  sends: { active: String(isOn) },
  notice: isOn ? 'The flag was switched on.' : 'The flag was switched off.',
})

const description = { name: 'description', label: 'What it is for', hint: '' } as const
const isOn = { name: 'active', label: 'On', hint: 'A flag that is off is off for all, whatever stands below.' } as const

const flagPages = thingPages<InEither, Flag>({
  home: flagsHome,
  path: FLAGS,
  key: TAB,
  live: 'feature_flags',
  title: 'Feature flags',
  icon: 'flag',
  purpose:
    'A flag switches a part of an application on and off while it runs: for everyone, a share of its users or some of them, in some environments.',
  list: api.listFeatureFlags,
  before: ctx =>
    html`<p><a href="${eitherPath(ctx, USER_LISTS)}">User lists</a> · <a href="#connect">How an application reads them</a></p>`,
  after: connecting,
  row: ({ name, description, active, strategies, updated_at }) =>
    html`<div class="title"><code>${name}</code> ${active ? chip('On', 'success') : chip('Off')}</div>${description && html`<div>${description}</div>`}<div class="facts">${strategies.length === 0 ? html`<span>for no one</span>` : strategies.map(strategyView)}<span>changed ${time(updated_at)}</span></div>`,
  labelOf: ({ name }) => name,
  idOf: ({ name }) => name,
  id: 'feature_flag_name',
  scripts: ['variable_rows.js'],
  add: {
    of: api.createFeatureFlag,
    title: 'Add a flag',
    instead: {
      of: ['strategies', 'version'],
      params: rowParams,
      adapt: async (_ctx, { rows, ...params }) => ({ ...params, strategies: strategiesIn(rows) }),
    },
    fields: async ctx => [
      { name: 'name', label: 'Name', hint: 'As the application asks for it: small letters, digits, `-` and `_`.', autofocus: true },
      description,
      isOn,
      rowsField(await listsOf(ctx)),
    ],
    values: () => ({ active: true, rows: [{ whom: 'default', environments: '*' }] }),
    notice: 'The flag was added.',
  },
  edit: {
    of: api.updateFeatureFlag,
    named: ({ featureFlag }: { readonly featureFlag: FlagRow }) => featureFlag.name,
    instead: {
      of: ['strategies'],
      params: rowParams,
      adapt: async ({ featureFlag }: { readonly featureFlag: FlagRow }, { rows, ...params }: Readonly<Record<string, unknown>>) => ({
        ...params,
        strategies: strategiesIn(rows, featureFlag),
      }),
    },
    fields: async (ctx: Context & InEither) => [
      { name: 'name', label: 'Name', hint: 'Applications that ask for the former name take the flag as off.' },
      description,
      isOn,
      rowsField(await listsOf(ctx)),
    ],
    values: ({ featureFlag }: { readonly featureFlag: FlagRow }) => ({ ...featureFlag, rows: rowsOf(featureFlag) }),
    notice: 'The flag was changed.',
  },
  remove: { of: api.deleteFeatureFlag, button: 'Delete', notice: 'The flag was deleted.' },
  actions: [switching(true), switching(false)],
})

interface List {
  readonly iid: number
  readonly name: string
  readonly user_xids: string
}

const listFields = [
  { name: 'name', label: 'Name', hint: '', autofocus: true },
  { name: 'user_xids', label: 'User ids', control: 'textarea', hint: 'As the application knows them, separated by commas: `1041,1042`.' },
] as const

const listPages = thingPages<InEither, List>({
  home: flagsHome,
  path: USER_LISTS,
  key: TAB,
  title: 'User lists',
  icon: 'people',
  purpose: 'A list gives some users of an application a name, so that several flags can be on for them.',
  list: userLists.listFlagUserLists,
  before: ctx => html`<p><a href="${eitherPath(ctx, FLAGS)}">Feature flags</a></p>`,
  row({ name, user_xids }) {
    const ids = user_xids.split(',')
    return html`<div class="title">${name}</div><div class="facts"><span>${ids.length === 1 ? '1 user' : `${ids.length} users`}: ${ids.slice(0, 10).join(', ')}${ids.length > 10 && '…'}</span></div>`
  },
  labelOf: ({ name }) => name,
  idOf: ({ iid }) => iid,
  id: 'iid',
  add: { of: userLists.createFlagUserList, title: 'Add a list', fields: () => listFields, notice: 'The list was added.' },
  edit: {
    of: userLists.updateFlagUserList,
    named: ({ userList }: { readonly userList: List }) => userList.name,
    fields: () => listFields,
    values: ({ userList }: { readonly userList: List }) => ({ ...userList }),
    notice: 'The list was changed.',
  },
  remove: { of: userLists.deleteFlagUserList, button: 'Delete', notice: 'The list was deleted.' },
})

export const featureFlagPages = {
  ...Object.fromEntries(Object.entries(flagPages).map(([key, endpoint]) => [`flags ${key}`, endpoint])),
  ...Object.fromEntries(Object.entries(listPages).map(([key, endpoint]) => [`lists ${key}`, endpoint])),
  showInstanceId: pageEndpoint({
    route: `GET /:project_path${CLIENT}/instance_id`,
    summary: 'Show the instance ID of the feature flags of a project',
    scope: inProjectPage,
    can: getFeatureFlagsClient.can as 'read_feature_flag',
    async run(ctx) {
      const { instance_id } = (await getFeatureFlagsClient.run(ctx)) as { readonly instance_id: string }
      const label = 'Instance ID'
      return revealedPage(
        ctx,
        { title: label, place: eitherPlace(ctx.actor, ctx, TAB), width: 'medium' },
        { id: 'instance-id', label, text: instance_id },
      )
    },
  }),
  resetInstanceId: action<{ readonly project: ProjectWithRole }>({
    route: `POST /:project_path${CLIENT}/reset_token`,
    of: resetFeatureFlagsClientToken,
    scope: inProjectPage,
    next: ctx => eitherPath(ctx, FLAGS),
    notice: 'The instance ID was replaced.',
    confirms: true,
  }),
}
