/** Reads of boards and of their lists. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'

const boards = (db: Db) =>
  db
    .selectFrom('boards')
    .selectAll('boards')
    .select(sql<number[]>`array(select l.label_id from board_labels l where l.board_id = boards.id order by l.label_id)`.as('label_ids'))

export type BoardRow = Awaited<ReturnType<ReturnType<typeof boards>['executeTakeFirstOrThrow']>>

/** The boards of a group or project, in order of creation. */
export const boardsOf = (db: Db, { noun, id }: PlanningPlace) =>
  boards(db)
    .where(noun === 'project' ? 'boards.project_id' : 'boards.namespace_id', '=', id)
    .orderBy('boards.id')

/** A board of a group or project. */
export const boardById = (db: Db, place: PlanningPlace, id: number) => boardsOf(db, place).where('boards.id', '=', id).executeTakeFirst()

const boardLists = (db: Db) => db.selectFrom('board_lists').selectAll('board_lists')

export type BoardListRow = Awaited<ReturnType<ReturnType<typeof boardLists>['executeTakeFirstOrThrow']>>

/** The lists of a board, from left to right. */
export const listsOfBoard = (db: Db, boardId: number) =>
  boardLists(db).where('board_lists.board_id', '=', boardId).orderBy('board_lists.position').orderBy('board_lists.id')

/** A list of a board. */
export const listOfBoard = (db: Db, boardId: number, id: number) =>
  listsOfBoard(db, boardId).where('board_lists.id', '=', id).executeTakeFirst()

/** The lists of several boards, from left to right. */
export const listsOfBoards = (db: Db, boardIds: readonly number[]): Promise<BoardListRow[]> =>
  boardLists(db).where('board_lists.board_id', '=', anyOf(boardIds)).orderBy('board_lists.position').orderBy('board_lists.id').execute()
