import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import type { PlaceScope } from '../../spaces/places/places.ts'
import { boardById, listOfBoard } from './queries.ts'

/** `:board_id` is resolved to a board of the place, or 404. */
export const inBoard = (inPlace: PlaceScope) =>
  within(inPlace, {
    name: `${inPlace.name}Board`,
    path: { board_id: integer('ID of a board') },
    async load({ db, place }, { board_id }) {
      const board = await boardById(db, place, board_id)
      if (!board) throw notFound('Board')
      return { board }
    },
    modifiedAt: ({ board }) => board.updated_at,
  })

/** `:list_id` is resolved to a list of the board, or 404. */
export const inBoardList = (inPlace: PlaceScope) =>
  within(inBoard(inPlace), {
    name: `${inPlace.name}BoardList`,
    path: { list_id: integer('ID of a list of the board') },
    async load({ db, board }, { list_id }) {
      const list = await listOfBoard(db, board.id, list_id)
      if (!list) throw notFound('List')
      return { list }
    },
    modifiedAt: ({ list }) => list.updated_at,
  })
