/** The protected branches of a project: who may push to them, merge into them, and force a push. */
import { listProtectedBranches, protectBranch, unprotectBranch, updateProtectedBranch } from '../../code/protected_branches/endpoints.ts'
import type { Allowed } from '../../code/protected_branches/level_changes.ts'
import type { ProtectedBranchRow } from '../../code/protected_branches/queries.ts'
import { roles } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { tierCovers } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import type { Values } from '../../platform/pages/forms/form.ts'
import { html } from '../../platform/pages/html.ts'
import { memberPlaceOfProject } from '../../spaces/members/scope.ts'
import type { InEither } from '../places/planning.ts'
import { projectHome } from '../things/homes.ts'
import { thingPages } from '../things/things.ts'
import { levelWords, type ShownLevel } from './levels.ts'
import { changesTo, chosenLevels, groupChoices, type Right, whoFields, whoParams, whoValues, withoutWho } from './who.ts'

interface Protection {
  readonly name: string
  readonly push_access_levels: readonly ShownLevel[]
  readonly merge_access_levels: readonly ShownLevel[]
  readonly unprotect_access_levels?: readonly ShownLevel[]
  readonly allow_force_push: boolean
  readonly code_owner_approval_required?: boolean
}

const merging: Right = { name: 'merge', verb: 'merge', levels: [40, 30, 60, 0] }
const pushing: Right = { name: 'push', verb: 'push', levels: [40, 30, 60, 0] }
const unprotecting: Right = { name: 'unprotect', verb: 'change or remove the protection', levels: [40, 30, 60, 0] }
const rights = [merging, pushing, unprotecting] as const

const force = { name: 'allow_force_push', label: 'Those who may push may rewrite it', hint: 'By `git push --force`.' }
const owners = {
  name: 'code_owner_approval_required',
  label: 'Code owners must approve',
  hint: 'Of the files that a merge request changes.',
}

/** Parameters of the declarations that the forms ask for as roles, people and groups. */
const asked = rights.flatMap(({ name }) => [`${name}_access_level`, `allowed_to_${name}`])
const params = Object.assign({}, ...rights.map(whoParams)) as ReturnType<typeof whoParams>

type Protected = { readonly protectedBranch: ProtectedBranchRow }

const levelsOf = ({ protectedBranch: { levels } }: Protected, { name }: Right) => levels.filter(({ action }) => action === name)

/** Whom the fields name. @throws Refusal 400 where nobody could remove the protection, which the API does not know */
function wantedLevels(right: Right, sent: Values): readonly Allowed[] {
  const chosen = chosenLevels(right, sent)
  if (chosen.length > 0) return chosen
  if (right === unprotecting) throw invalid({ unprotect_role: ['must be one where nobody is named'] })
  return [{ access_level: 0 }]
}

/** The fields of who may do what. Lower tiers have roles alone, and do not say who may unprotect. */
async function rightsFields(ctx: Context & InEither & Partial<Protected>): Promise<readonly FieldSpec[]> {
  const project = ctx.project as NonNullable<InEither['project']>
  if (!tierCovers(ctx.tier, 'premium')) return (await Promise.all([merging, pushing].map(right => whoFields(ctx, right)))).flat()
  const members = memberPlaceOfProject(project)
  const groups = await groupChoices(ctx, members, ctx.protectedBranch?.levels)
  const fields = await Promise.all(
    rights.map(right => {
      const current = ctx.protectedBranch ? levelsOf(ctx as Protected, right) : []
      return whoFields(ctx, right, { members, lowest: roles.developer, current, groups })
    }),
  )
  return fields.flat()
}

export const protectedBranchPages = thingPages<InEither, Protection>({
  home: projectHome,
  path: '/-/settings/protected_branches',
  key: 'protected_branches',
  live: 'protected_branches',
  title: 'Protected branches',
  icon: 'shield-lock',
  purpose: 'No one rewrites or deletes a protected branch, and only those whom you name push to it or merge into it.',
  list: listProtectedBranches,
  row: ({ name, push_access_levels, merge_access_levels, unprotect_access_levels = [], allow_force_push, code_owner_approval_required }) =>
    html`<div class="title mono break">${name}</div><div class="facts"><span>Push: ${levelWords(push_access_levels)}</span><span>Merge: ${levelWords(merge_access_levels)}</span>${unprotect_access_levels.length > 0 && html`<span>Unprotect: ${levelWords(unprotect_access_levels)}</span>`}${allow_force_push && html`<span>${chip('May be rewritten', 'attention')}</span>`}${code_owner_approval_required && html`<span>${chip('Code owners approve')}</span>`}</div>`,
  labelOf: ({ name }) => name,
  idOf: ({ name }) => name,
  id: 'name',
  add: {
    of: protectBranch,
    title: 'Protect a branch',
    instead: {
      of: asked,
      params,
      async adapt(_ctx, sent) {
        const levels = rights.flatMap(right => {
          // Without a choice it is that of the API.
          if (sent[`${right.name}_role`] === undefined) return []
          return [[`allowed_to_${right.name}`, wantedLevels(right, sent)] as const]
        })
        return { ...withoutWho(rights, sent), ...roleAlone(Object.fromEntries(levels)) }
      },
    },
    fields: async ctx => [
      { name: 'name', label: 'Branch or pattern', autofocus: true, hint: 'In a pattern `*` stands for any text: `release/*`.' },
      ...(await rightsFields(ctx)),
      force,
      ...(tierCovers(ctx.tier, 'premium') ? [owners] : []),
    ],
    values: ({ request }) => ({ name: nameIn(request.address), merge_role: 40, push_role: 40, unprotect_role: 40 }),
    notice: 'The branch is protected.',
  },
  edit: {
    of: updateProtectedBranch,
    instead: {
      of: rights.map(({ name }) => `allowed_to_${name}`),
      params,
      async adapt(ctx: Protected, sent) {
        const changes = rights.flatMap(right => {
          if (sent[`${right.name}_role`] === undefined) return []
          return [[`allowed_to_${right.name}`, changesTo(wantedLevels(right, sent), levelsOf(ctx, right))] as const]
        })
        return { ...withoutWho(rights, sent), ...Object.fromEntries(changes) }
      },
    },
    named: ({ protectedBranch }: Protected) => protectedBranch.name,
    fields: async (ctx: Context & InEither & Protected) => [...(await rightsFields(ctx)), force, owners],
    values: (ctx: Protected) => ({
      ...ctx.protectedBranch,
      ...Object.assign({}, ...rights.map(right => whoValues(right, levelsOf(ctx, right)))),
    }),
    notice: 'The protection was changed.',
  },
  remove: { of: unprotectBranch, button: 'Unprotect', notice: 'The branch is not protected any more.', confirms: true },
})

/** The branch that a link to the form names. */
const nameIn = (address: string): string => new URLSearchParams(address.split('?', 2)[1] ?? '').get('name') ?? ''

/** A role without people and groups as the parameter that every tier takes. */
function roleAlone(given: Readonly<Record<string, readonly Allowed[]>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, levels]) => {
      const [only] = levels
      return levels.length === 1 && only?.access_level !== undefined
        ? [`${name.slice('allowed_to_'.length)}_access_level`, only.access_level]
        : [name, levels]
    }),
  )
}
