/** Visibility of code as SQL: the ability `read_code`. */
import type { RawBuilder } from 'kysely'
import { projectsAllowing } from '../../platform/access/ability_conditions.ts'
import type { Actor } from '../../platform/access/actor.ts'

/** The ids of the projects that meet `inProject` (a condition on `projects`) and whose code the actor may read. */
export const projectsWithCode = (actor: Actor, inProject: RawBuilder<boolean>): RawBuilder<number> =>
  projectsAllowing(actor, 'read_code', inProject)
