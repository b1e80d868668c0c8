/** `ingot why`: which line of the abilities table decides, and from which facts. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ability, type AbilitySubject, abilities, allows, type Verdict } from '../../platform/access/abilities.ts'
import { type Actor, anonymous, asUser, isAdmin } from '../../platform/access/actor.ts'
import { findActingUser } from '../../platform/access/credentials/credentials.ts'
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

/** Prints the line of the table, the facts it was asked about, and the verdict. */
export async function why(username: string, ability: string, place: string | undefined, options: SettingOptions): Promise<void> {
  if (!isAbility(ability)) throw new CommandFailure(`there is no ability "${ability}": see src/platform/access/abilities.ts`)
  const config = configFrom(options)
  const instance = await openInstance({ config, log: openLog(config.logLevel), shared: true })
  try {
    const { db } = instance.deps.database
    const actor = await actorFor(db, username)
    const subject = await subjectFor(db, actor, ability, place)
    const verdict =
      subject === 'unseen' ? 'hidden: 404, the place is private and they are not a member' : meanings[allows(actor, ability, subject)]
    const facts = subject === 'unseen' ? [] : Object.entries(subject).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`)
    const admin = isAdmin(actor) ? ['  admin: true'] : []
    process.stdout.write(`${[await lineOf(ability), ...admin, ...facts, verdict].join('\n')}\n`)
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

/** The ability's line in the table, as it is written there. */
async function lineOf(ability: Ability): Promise<string> {
  const lines = (await readFile(join(import.meta.dirname, '../../platform/access/abilities.ts'), 'utf8')).split('\n')
  const index = lines.findIndex(line => line.startsWith(`  ${ability}: `))
  if (index < 0) throw new Error(`the table has no line for ${ability}`)
  return `src/platform/access/abilities.ts:${index + 1}: ${lines[index]?.trim()}`
}
