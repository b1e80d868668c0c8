/**
 * The table of abilities: who may do what. Every endpoint names one, and `allows` alone decides. Scopes and `visible.ts` decide visibility
 * before that: a resource that the actor may not see is 404. The lines about groups and projects are in `rules/`, by area.
 */
import { type Actor, isActive, isAdmin, isImpersonated } from './actor.ts'
import type { DeployTokenScope } from './credentials/token_scopes.ts'
import { admits, builtOn, type Feature, type FeatureLevel, features, isFeatureOn, type Role, roles, type Visibility } from './open_to.ts'
import { deliveryRules } from './rules/of_delivery.ts'
import { groupRules } from './rules/of_groups.ts'
import { projectRules } from './rules/of_projects.ts'
import type { PlaceRule, Rule } from './rules/rule.ts'

export { builtOn, type Feature, type FeatureLevel, type Role, roles, type Visibility } from './open_to.ts'
export type { PlaceRule } from './rules/rule.ts'

/** The subject of an ability. `role` is the actor's effective role, with inherited and shared roles counted. */
export type AbilitySubject =
  | { readonly on: 'instance' }
  | {
      readonly on: 'project'
      readonly role: Role
      readonly visibility: Visibility
      readonly archived: boolean
      readonly features: Readonly<Record<Feature, FeatureLevel>>
      /** The actor is the author or an assignee of the resource in the project; for branches: some branches are open to the actor. */
      readonly own?: boolean
      /** `public_jobs`: actors below Reporter may read pipelines and jobs. */
      readonly publicJobs: boolean
    }
  | {
      readonly on: 'group'
      readonly role: Role
      readonly visibility: Visibility
      /** The actor is the author of the resource in the group. */
      readonly own?: boolean
    }
  /** Resources that belong to one user: keys, emails, tokens. */
  | { readonly on: 'user'; readonly userId: number /** Of the account; people's are `human`. */; readonly kind?: string }
  /** The users that an identity provider provisions in a top-level group and the groups below it. */
  | { readonly on: 'provisioning'; readonly topGroupId: number }

/** The kinds of subjects. */
export type SubjectKind = AbilitySubject['on']

const rules = {
  // The instance
  read_instance: { on: 'instance', who: 'anyone' },
  use_instance: { on: 'instance', who: 'signed_in' },
  admin_instance: { on: 'instance', who: 'admin' },

  // Users
  read_user: { on: 'user', who: 'anyone' },
  read_user_details: { on: 'user', who: 'signed_in' },
  follow_user: { on: 'user', who: 'signed_in' },
  update_own: { on: 'user', who: 'self' },
  admin_user: { on: 'user', who: 'admin' },
  // Credentials and addresses of an account. Users add their own; administrators add them for others.
  add_own_credential: { on: 'user', who: 'self', human: true, inPerson: true },
  // Not with a token: who has one could take the account over, by a new password that is sent to the address.
  change_own_email: { on: 'user', who: 'self', human: true, inPerson: true, bySession: true },
  renew_own_credential: { on: 'user', who: 'self', inPerson: true },
  add_credential_for_user: { on: 'user', who: 'admin', human: true },

  ...groupRules,
  ...projectRules,
  ...deliveryRules,
} as const satisfies Record<string, Rule>

export type Ability = keyof typeof rules

/** The abilities that apply to subjects of these kinds. */
export type AbilityAbout<On extends SubjectKind> = { [A in Ability]: (typeof rules)[A]['on'] extends On ? A : never }[Ability]

/** The table, for tests and generated documents. */
export const abilities: Readonly<Record<Ability, Rule>> = rules

/** Does a caller who is not signed in have this ability anywhere? If not, a request without credentials is 401 (decisions 7 to 9). */
export function openToAnonymous(ability: Ability): boolean {
  const rule = abilities[ability]
  return 'who' in rule ? rule.who === 'anyone' : rule.public === 'anyone'
}

/** The result of `allows`: `yes`; `no` is 403; `hidden`, where the feature is not enabled for the actor, is 404. */
export type Verdict = 'yes' | 'no' | 'hidden'

/**
 * May `actor` do this to `subject`? Pure. Administrators may do everything (decision 43), except use a feature that is disabled or change
 * an archived project. An account that is not active may do nothing, whatever credential acts for it.
 */
export function allows(actor: Actor, ability: Ability, subject: AbilitySubject): Verdict {
  const rule = abilities[ability]
  if (rule.on !== subject.on) throw new Error(`ability ${ability} is about a ${rule.on}, not a ${subject.on}`)
  if (subject.on === 'provisioning') return opensProvisioning(actor, subject.topGroupId) ? 'yes' : 'no'
  if (!isActive(actor)) return 'no'
  const admin = isAdmin(actor)
  if ('who' in rule) {
    if (subject.on === 'user' && 'human' in rule && subject.kind !== 'human') return 'no'
    if ('inPerson' in rule && isImpersonated(actor)) return 'no'
    if ('bySession' in rule && actor.credential?.kind !== 'session') return 'no'
    if (rule.who === 'anyone') return 'yes'
    if (rule.who === 'signed_in') return actor.user ? 'yes' : 'no'
    if (rule.who === 'self') return admin || (subject.on === 'user' && actor.user?.id === subject.userId) ? 'yes' : 'no'
    return admin ? 'yes' : 'no'
  }
  const place = subject as Extract<AbilitySubject, { role: Role }>
  const role = admin ? roles.owner : isMachine(actor) ? roleOfMachine(actor, ability, place.role) : place.role
  const isOpen = !rule.ofJobs || place.on !== 'project' || place.publicJobs
  const enough = role >= (isOpen ? rule.role : roles.reporter)
  if (place.on === 'project' && rule.feature) {
    const isOn = (feature: Feature): boolean => {
      const below = builtOn[feature]
      return isFeatureOn(feature, place.features[feature], role) && (below === undefined || isOn(below))
    }
    if (![rule.feature].flat().some(isOn) || rule.also?.some(feature => !isOn(feature))) return 'hidden'
  }
  if (place.on === 'project' && rule.changes && place.archived) return 'no'
  if (enough) return 'yes'
  if (rule.own && place.own && allows(actor, rule.own as Ability, subject) === 'yes') return 'yes'
  if (!isOpen) return 'no'
  return isPublicTo(actor, rule) && admits(place.visibility, actor.user) ? 'yes' : 'no'
}

/** What deploy keys and deploy tokens may do according to their role: git transport, LFS and packages, and nothing else of the role. */
const forMachines: ReadonlySet<Ability> = new Set([
  'read_project',
  'read_code',
  'push_code',
  'push_to_branch',
  'read_group',
  'read_package',
  'read_group_packages',
  'read_container_image',
  'read_dependency_proxy',
])

/** What a deploy token with one of these scopes may do in its projects; in all others it has no role. */
const forPublishers: { readonly [scope in DeployTokenScope]?: readonly Ability[] } = {
  write_package_registry: ['create_package', 'destroy_package', 'create_group_packages', 'destroy_group_packages'],
  write_registry: ['create_container_image'],
}

function roleOfMachine({ credential }: Actor, ability: Ability, role: Role): Role {
  if (forMachines.has(ability)) return role
  const publishes = credential?.kind === 'deploy_token' && credential.scopes.some(scope => forPublishers[scope]?.includes(ability))
  return publishes && role > roles.none ? roles.maintainer : roles.none
}

const isMachine = ({ user, credential }: Actor): boolean =>
  user === undefined && (credential?.kind === 'deploy_key' || credential?.kind === 'deploy_token')

/** Does a rule grant anything to this actor without a role, where the visibility admits them? */
export const isPublicTo = ({ user }: Actor, { public: audience }: Pick<PlaceRule, 'public'>): boolean =>
  audience === 'anyone' || (audience === 'signed_in' && user !== undefined)

const opensProvisioning = ({ credential }: Actor, topGroupId: number): boolean =>
  credential?.kind === 'scim_token' && credential.groupId === topGroupId

/** The feature levels of a project row, from its `*_access_level` columns. */
export const featureLevels = (row: { [F in Feature as `${F}_access_level`]: string }): Record<Feature, FeatureLevel> =>
  Object.fromEntries(features.map(feature => [feature, row[`${feature}_access_level`] as FeatureLevel])) as Record<Feature, FeatureLevel>
