/**
 * The table of abilities: who may do what. Every endpoint names one; `allows` is the only judge.
 * Visibility (may I know of it at all?) is settled before, by scopes and `visible.ts`; a thing one may not see is 404.
 */
import type { Actor } from './actor.ts'

/** Access levels of members (document 3; 5 is minimal access). `none` is no membership. */
export const roles = { none: 0, minimal: 5, guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const
export type Role = (typeof roles)[keyof typeof roles]

export type Visibility = 'private' | 'internal' | 'public'

/** The features of a project that have an access level of their own. */
export type Feature =
  | 'issues'
  | 'repository'
  | 'merge_requests'
  | 'forking'
  | 'wiki'
  | 'builds'
  | 'snippets'
  | 'analytics'
  | 'operations'
  | 'pages'
  | 'requirements'
export type FeatureLevel = 'disabled' | 'private' | 'enabled' | 'public'

/** What an ability is asked about. `role` is the actor's own, inherited and shared roles counted. */
export type AbilitySubject =
  | { readonly on: 'instance' }
  | {
      readonly on: 'project'
      readonly role: Role
      readonly visibility: Visibility
      readonly archived: boolean
      readonly features: Readonly<Record<Feature, FeatureLevel>>
    }
  | { readonly on: 'group'; readonly role: Role; readonly visibility: Visibility }
  /** Something that belongs to one user: their keys, emails, tokens. */
  | { readonly on: 'user'; readonly userId: number }
  /** The people that an identity provider brings into a top-level group and the groups below it. */
  | { readonly on: 'provisioning'; readonly topGroupId: number }

interface InstanceRule {
  readonly on: 'instance'
  readonly who: 'anyone' | 'signed_in' | 'admin'
}

interface UserRule {
  readonly on: 'user'
  /** `self`: the user themselves and administrators. */
  readonly who: 'anyone' | 'signed_in' | 'self' | 'admin'
}

interface ProvisioningRule {
  readonly on: 'provisioning'
  /** No person, administrators included: the SCIM token of the group alone. */
  readonly who: 'scim_token'
}

interface PlaceRule {
  readonly on: 'project' | 'group'
  /** The lowest role that has it. */
  readonly role: Role
  /** Who has it without membership where the place is visible to them: anyone, or whoever is signed in. */
  readonly public?: 'anyone' | 'signed_in'
  /** The project feature that must be on for the actor. */
  readonly feature?: Feature
  /** Changes the project's contents, so not while it is archived. */
  readonly changes?: true
}

type Rule = InstanceRule | UserRule | ProvisioningRule | PlaceRule

const rules = {
  // The instance
  read_instance: { on: 'instance', who: 'anyone' },
  use_instance: { on: 'instance', who: 'signed_in' },
  admin_instance: { on: 'instance', who: 'admin' },

  // Users
  read_user: { on: 'user', who: 'anyone' },
  read_user_details: { on: 'user', who: 'signed_in' },
  update_own: { on: 'user', who: 'self' },
  admin_user: { on: 'user', who: 'admin' },

  // Groups
  read_group: { on: 'group', role: roles.minimal, public: 'anyone' },
  read_group_members: { on: 'group', role: roles.guest, public: 'signed_in' },
  create_project_in_group: { on: 'group', role: roles.developer },
  create_subgroup: { on: 'group', role: roles.maintainer },
  admin_group: { on: 'group', role: roles.owner },
  admin_group_member: { on: 'group', role: roles.owner },
  leave_group: { on: 'group', role: roles.minimal },

  read_group_audit_events: { on: 'group', role: roles.owner },
  admin_group_scim: { on: 'group', role: roles.owner },
  provision_group_users: { on: 'provisioning', who: 'scim_token' },

  // Projects
  read_project: { on: 'project', role: roles.guest, public: 'anyone' },
  read_project_members: { on: 'project', role: roles.guest, public: 'signed_in' },
  admin_project: { on: 'project', role: roles.maintainer },
  admin_project_member: { on: 'project', role: roles.maintainer },
  leave_project: { on: 'project', role: roles.minimal },
  archive_project: { on: 'project', role: roles.owner },
  remove_project: { on: 'project', role: roles.owner },
  manage_project_access_tokens: { on: 'project', role: roles.maintainer },

  // Repository
  read_code: { on: 'project', role: roles.reporter, public: 'anyone', feature: 'repository' },
  push_code: { on: 'project', role: roles.developer, feature: 'repository', changes: true },
  admin_protected_branches: { on: 'project', role: roles.maintainer, feature: 'repository' },
} as const satisfies Record<string, Rule>

export type Ability = keyof typeof rules

/** The table, for the tests and documents that are made from it. */
export const abilities: Readonly<Record<Ability, Rule>> = rules

/** May someone who has not signed in have this ability anywhere? If not, no credentials is 401 (decisions 7 to 9). */
export function openToAnonymous(ability: Ability): boolean {
  const rule = abilities[ability]
  return 'who' in rule ? rule.who === 'anyone' : rule.public === 'anyone'
}

/** What `allows` can say: yes; no, 403; or the feature is hidden from the actor, 404. */
export type Verdict = 'yes' | 'no' | 'hidden'

/**
 * May `actor` do this to `subject`? Pure. Administrators may do everything (decision 43), except with a feature that
 * is off and, where it changes something, in an archived project.
 */
export function allows(actor: Actor, ability: Ability, subject: AbilitySubject): Verdict {
  const rule = abilities[ability]
  if (rule.on !== subject.on) throw new Error(`ability ${ability} is about a ${rule.on}, not a ${subject.on}`)
  if (subject.on === 'provisioning') return opensProvisioning(actor, subject.topGroupId) ? 'yes' : 'no'
  const admin = actor.user?.admin === true
  if ('who' in rule) {
    if (rule.who === 'anyone') return 'yes'
    if (rule.who === 'signed_in') return actor.user ? 'yes' : 'no'
    if (rule.who === 'self') return admin || (subject.on === 'user' && actor.user?.id === subject.userId) ? 'yes' : 'no'
    return admin ? 'yes' : 'no'
  }
  const place = subject as Extract<AbilitySubject, { role: Role }>
  const role = admin ? roles.owner : place.role
  const enough = role >= rule.role
  if (place.on === 'project' && rule.feature) {
    const level = place.features[rule.feature]
    if (level === 'disabled') return 'hidden'
    if (level === 'private' && role < roles.guest) return 'hidden'
  }
  if (place.on === 'project' && rule.changes && place.archived) return 'no'
  if (enough) return 'yes'
  if (rule.public === 'anyone' && place.visibility !== 'private') return 'yes'
  return rule.public === 'signed_in' && place.visibility !== 'private' && actor.user ? 'yes' : 'no'
}

const opensProvisioning = ({ credential }: Actor, topGroupId: number): boolean =>
  credential?.kind === 'scim_token' && credential.groupId === topGroupId

/** The subject whose feature levels are a project row's `*_access_level` columns. */
export const featureLevels = (row: { [F in Feature as `${F}_access_level`]: string }): Record<Feature, FeatureLevel> =>
  Object.fromEntries(
    (
      [
        'issues',
        'repository',
        'merge_requests',
        'forking',
        'wiki',
        'builds',
        'snippets',
        'analytics',
        'operations',
        'pages',
        'requirements',
      ] as const
    ).map(feature => [feature, row[`${feature}_access_level`] as FeatureLevel]),
  ) as Record<Feature, FeatureLevel>
