/** Reads of states of Terraform. */
import type { Db } from '../../platform/db/connection.ts'

const states = (db: Db) =>
  db
    .selectFrom('terraform_states')
    .leftJoin('users', 'users.id', 'terraform_states.locked_by_id')
    .selectAll('terraform_states')
    .select('users.username as locked_by')

export type StateRow = Awaited<ReturnType<ReturnType<typeof states>['executeTakeFirstOrThrow']>>

/** The state of a project with this name. */
export const stateNamed = (db: Db, projectId: number, name: string) =>
  states(db).where('terraform_states.project_id', '=', projectId).where('terraform_states.name', '=', name).executeTakeFirst()

/** The same, locked for writing: those who change a state do so one after the other. */
export const lockState = (db: Db, projectId: number, name: string) =>
  states(db)
    .where('terraform_states.project_id', '=', projectId)
    .where('terraform_states.name', '=', name)
    .forUpdate('terraform_states')
    .executeTakeFirst()

const versions = (db: Db, stateId: number) =>
  db.selectFrom('terraform_state_versions').selectAll().where('terraform_state_id', '=', stateId)

export type VersionRow = Awaited<ReturnType<ReturnType<typeof versions>['executeTakeFirstOrThrow']>>

/** What was written last. */
export const newestVersion = (db: Db, stateId: number) => versions(db, stateId).orderBy('id', 'desc').limit(1).executeTakeFirst()

/** The version with this serial. */
export const versionOfSerial = (db: Db, stateId: number, serial: number) =>
  versions(db, stateId).where('serial', '=', serial).executeTakeFirst()

/** A part of a large state. */
export const partOf = (db: Db, versionId: number, position: number) =>
  db
    .selectFrom('terraform_state_parts')
    .select('content')
    .where('version_id', '=', versionId)
    .where('position', '=', position)
    .executeTakeFirst()

/** The states of a project by name, each with what was written last. */
export const statesOf = (db: Db, projectId: number) =>
  states(db)
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('terraform_state_versions')
          .select(['serial', 'created_at as written_at', 'creator_id'])
          .whereRef('terraform_state_id', '=', 'terraform_states.id')
          .orderBy('id', 'desc')
          .limit(1)
          .as('newest'),
      join => join.onTrue(),
    )
    .leftJoin('users as writers', 'writers.id', 'newest.creator_id')
    .select(['serial', 'written_at', 'writers.username as written_by'])
    .where('terraform_states.project_id', '=', projectId)
    .orderBy('terraform_states.name')

export type ListedState = Awaited<ReturnType<ReturnType<typeof statesOf>['executeTakeFirstOrThrow']>>

/** The versions of a state, the newest first, without what they say. */
export const versionsOf = (db: Db, stateId: number) =>
  db
    .selectFrom('terraform_state_versions')
    .leftJoin('users', 'users.id', 'terraform_state_versions.creator_id')
    .select(['terraform_state_versions.id', 'serial', 'terraform_state_versions.created_at', 'job_id', 'users.username as written_by'])
    .where('terraform_state_id', '=', stateId)
    .orderBy('terraform_state_versions.id', 'desc')

export type ListedVersion = Awaited<ReturnType<ReturnType<typeof versionsOf>['executeTakeFirstOrThrow']>>
