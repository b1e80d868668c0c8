/** `ingot why`: what decides whether a user may do something, and from which facts. */
import { protectedBranches } from '../../code/protected_branches/queries.ts'
import { branchRights } from '../../code/protected_branches/rights.ts'
import { type Ability, type AbilitySubject, abilities, allows, type Verdict } from '../../platform/access/abilities.ts'
import { type Actor, anonymous, asUser, isAdmin } from '../../platform/access/actor.ts'
import { findActingUser } from '../../platform/access/credentials/credentials.ts'
import { roleNames, whoMay } from '../../platform/access/rules/in_words.ts'
import type { Db } from '../../platform/db/connection.ts'
import { openLog } from '../../platform/log.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { openInstance } from '../setup/instance.ts'
import { CommandFailure } from './failures.ts'
import { configFrom, type SettingOptions } from './settings.ts'

const isAbility = (name: string): name is Ability => name in abilities

const meanings: Readonly<Record<Verdict, string>> = {
  yes: 'yes',
  no: 'no: 403, or 401 without credentials',
  hidden: 'hidden: 404, the feature is off for this actor',
}

/** Prints who has the ability, the facts about this user and place, and the verdict. */
export async function why(username: string, ability: string, place: string | undefined, options: SettingOptions): Promise<void> {
  if (!isAbility(ability)) throw new CommandFailure(`there is no ability "${ability}": see the handbook, “Permissions”`)
  const config = configFrom(options)
  const instance = await openInstance({ config, log: openLog(config.logLevel), shared: true, existing: true })
  try {
    const { db } = instance.deps.database
    const actor = await actorFor(db, username)
    const subject = await subjectFor(db, actor, ability, place)
    const verdict = subject === 'unseen' ? undefined : allows(actor, ability, subject)
    const facts = subject === 'unseen' ? [] : Object.entries(subject).map(([name, value]) => `  ${name}: ${inWords(name, value)}`)
    const admin = isAdmin(actor) ? ['  admin: yes'] : []
    const branches = verdict === 'yes' && isAboutBranches(ability) ? await protectedBranchesFor(db, actor, place as string) : []
    const closed = branches.some(({ push, merge }) => !(ability === 'merge_merge_request' ? merge : push))
    process.stdout.write(
      `${[
        ...whoMay(ability).map((way, index) => `${index === 0 ? `${ability}: ` : '  '}${way}`),
        ...admin,
        ...facts,
        ...branches.map(({ name, push, merge }) => `  protected branch ${name}: push ${yesOrNo(push)}, merge ${yesOrNo(merge)}`),
        ...(asksEnvironments.has(ability) ? ['  Who may run jobs of protected environments is decided by their protection besides'] : []),
        verdict === undefined
          ? 'hidden: 404, the place is private and they are not a member'
          : `${meanings[verdict]}${closed ? ', but not on each protected branch' : ''}`,
      ].join('\n')}\n`,
    )
  } finally {
    await instance.close()
  }
}

async function actorFor(db: Db, username: string): Promise<Actor> {
  if (username === 'anonymous') return anonymous
  const user = await findActingUser(db, username)
  if (!user) throw new CommandFailure(`there is no user "${username}"`)
  return asUser(user)
}

async function subjectFor(db: Db, actor: Actor, ability: Ability, place: string | undefined): Promise<AbilitySubject | 'unseen'> {
  const { on } = abilities[ability]
  if (on === 'instance') return { on }
  if (place === undefined) throw new CommandFailure(`"${ability}" is about a ${on}: name one`)
  switch (on) {
    case 'user': {
      const user = await findActingUser(db, place)
      if (!user) throw new CommandFailure(`there is no user "${place}"`)
      return { on, userId: user.id, kind: user.kind }
    }
    case 'group': {
      const group = await visibleGroup(db, actor, place)
      return group ? inGroup.subject({ group }) : 'unseen'
    }
    case 'provisioning': {
      const group = await visibleGroup(db, actor, place)
      return group ? { on, topGroupId: group.traversal_ids[0] as number } : 'unseen'
    }
    case 'project': {
      const project = await visibleProject(db, actor, place)
      return project ? inProject.subject({ project }) : 'unseen'
    }
  }
}

/** Abilities over branches, of which protected ones ask for more. */
const isAboutBranches = (ability: Ability): boolean => ['push_code', 'push_to_branch', 'merge_merge_request'].includes(ability)

/** Abilities by which jobs run, of which those of protected environments ask for more. */
const asksEnvironments: ReadonlySet<Ability> = new Set<Ability>(['update_job', 'create_pipeline', 'admin_deployment'])

/** What the protected branches of a project let the actor do, by their names or patterns. */
async function protectedBranchesFor(db: Db, actor: Actor, place: string) {
  const project = await visibleProject(db, actor, place)
  if (!project) return []
  const rights = await branchRights({ db, actor }, project)
  const protections = await protectedBranches(db, project.id).execute()
  return protections.map(({ name }) => ({ name, push: rights.mayPush(name), merge: rights.mayMerge(name) }))
}

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no')

/** A fact as people say it: a role by its name, the features that are switched on. */
function inWords(name: string, value: unknown): string {
  if (name === 'role') return roleNames[value as number] as string
  if (typeof value === 'boolean') return yesOrNo(value)
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([key, level]) => `${key.replaceAll('_', ' ')} ${level}`)
    .join(', ')
}
