/** The protected environments of a project, and the protected tiers of a group: who may deploy there. */

import { groupProtectedEnvironments, projectProtectedEnvironments } from '../../delivery/protected_environments/endpoints.ts'
import type { ProtectedEnvironmentRow } from '../../delivery/protected_environments/queries.ts'
import type { InProtectingPlace } from '../../delivery/protected_environments/scope.ts'
import { roles } from '../../platform/access/abilities.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import type { Values } from '../../platform/pages/forms/form.ts'
import { html } from '../../platform/pages/html.ts'
import { environmentPath } from '../environments/scope.ts'
import type { InEither } from '../places/planning.ts'
import { groupHome, type Home, projectHome } from '../things/homes.ts'
import type { ThingTopic } from '../things/live.ts'
import { type Things, thingPages } from '../things/things.ts'
import { levelWords, type ShownLevel } from './levels.ts'
import { changesTo, chosenLevels, groupChoices, type Right, whoFields, whoParams, whoValues, withoutWho } from './who.ts'

interface Protection {
  readonly name: string
  readonly deploy_access_levels: readonly ShownLevel[]
}

type InPlace = InEither & InProtectingPlace
type InOne = InPlace & { readonly protectedEnvironment: ProtectedEnvironmentRow }

/** Names of environments that the field suggests. */
const MOST_SUGGESTED = 200

const deploying: Right = { name: 'deploy', verb: 'deploy', levels: [40, 30, 60, 0] }

/** Whom the fields name; there must be one. */
function deployers(params: Values) {
  const chosen = chosenLevels(deploying, params)
  if (chosen.length === 0) throw invalid({ deploy_role: ['must be one where nobody is named'] })
  return chosen
}

async function deployFields(ctx: Context & InPlace & Partial<InOne>): Promise<readonly FieldSpec[]> {
  const { place, protectedEnvironment } = ctx
  const current = protectedEnvironment?.levels ?? []
  const lowest = 'namespace_id' in place.key ? roles.maintainer : roles.developer
  return whoFields(ctx, deploying, { members: place, lowest, current, groups: await groupChoices(ctx, place, current) })
}

/** The field of the name; the address may say it. */
async function nameField({ db, project }: Context & InPlace): Promise<FieldSpec> {
  if (!project)
    return { name: 'name', label: 'Tier', hint: 'All environments of this tier in the projects of the group and below.', autofocus: true }
  const named = await db
    .selectFrom('environments')
    .select('name')
    .where('project_id', '=', project.id)
    .orderBy('name')
    .limit(MOST_SUGGESTED)
    .execute()
  return {
    name: 'name',
    label: 'Environment',
    hint: 'Its whole name, such as `production`. It need not be there yet.',
    autofocus: true,
    suggested: named.map(({ name }) => name),
  }
}

/** The ids of the environments that are protected, by name: one statement. */
async function environmentIds({ db, project }: Context & InPlace, rows: readonly Protection[]): Promise<ReadonlyMap<string, number>> {
  if (!project || rows.length === 0) return new Map()
  const found = await db
    .selectFrom('environments')
    .select(['id', 'name'])
    .where('project_id', '=', project.id)
    .where('name', '=', anyOf(rows.map(({ name }) => name)))
    .execute()
  return new Map(found.map(({ id, name }) => [name, id]))
}

const pagesOf = (
  home: Home<InEither>,
  api: readonly Endpoint[],
  words: Pick<Things<InPlace, Protection>, 'title' | 'purpose'> & { readonly key: string; readonly add: string; readonly live: ThingTopic },
) =>
  thingPages<InPlace, Protection, ReadonlyMap<string, number>>({
    home: home as unknown as Home<InPlace>,
    path: '/-/settings/protected_environments',
    key: words.key,
    live: words.live,
    title: words.title,
    icon: 'shield-lock',
    purpose: words.purpose,
    list: declarationOf(api, 'GET', /\/protected_environments$/),
    more: environmentIds,
    row({ name, deploy_access_levels }, { project }, ids) {
      const id = ids.get(name)
      return html`<div class="title break">${project && id !== undefined ? html`<a href="${environmentPath(project, { id })}">${name}</a>` : name}</div><div class="facts"><span>Deploy: ${levelWords(deploy_access_levels)}</span></div>`
    },
    labelOf: ({ name }) => name,
    idOf: ({ name }) => name,
    id: 'name',
    add: {
      of: declarationOf(api, 'POST', /\/protected_environments$/),
      title: words.add,
      instead: {
        of: ['deploy_access_levels'],
        params: whoParams(deploying),
        adapt: async (_ctx, params) => ({ ...withoutWho([deploying], params), deploy_access_levels: deployers(params) }),
      },
      fields: async ctx => [await nameField(ctx), ...(await deployFields(ctx))],
      values: ({ request }) => ({
        name: new URLSearchParams(request.address.split('?', 2)[1] ?? '').get('name') ?? '',
        deploy_role: String(roles.maintainer),
      }),
      notice: 'It is protected.',
    },
    edit: {
      of: declarationOf(api, 'PUT', /\/:name$/),
      instead: {
        of: ['deploy_access_levels'],
        params: whoParams(deploying),
        adapt: async (ctx: InOne, params) => ({ deploy_access_levels: changesTo(deployers(params), ctx.protectedEnvironment.levels) }),
      },
      named: ({ protectedEnvironment }: InOne) => protectedEnvironment.name,
      fields: (ctx: Context & InOne) => deployFields(ctx),
      values: ({ protectedEnvironment }: InOne) => whoValues(deploying, protectedEnvironment.levels),
      notice: 'The protection was changed.',
    },
    remove: {
      of: declarationOf(api, 'DELETE', /\/:name$/),
      button: 'Unprotect',
      notice: 'It is not protected any more: all who may run jobs may deploy there.',
    },
  })

export const projectProtectedEnvironmentPages = pagesOf(projectHome, projectProtectedEnvironments, {
  key: 'protected_environments',
  live: 'protected_environments',
  title: 'Protected environments',
  add: 'Protect an environment',
  purpose: 'Developers deploy everywhere. Where production is protected, only those whom you name run the jobs that deploy there.',
})

export const groupProtectedEnvironmentPages = pagesOf(groupHome, groupProtectedEnvironments, {
  key: 'ci_cd',
  live: 'protected_tiers',
  title: 'Protected tiers',
  add: 'Protect a tier',
  purpose: 'Of the environments of a tier, such as production, in all projects of the group: only those whom you name deploy there.',
})
