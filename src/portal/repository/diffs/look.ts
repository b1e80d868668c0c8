/** How a person looks at diffs: in one column or side by side, with white space or without it. */
import { diffViews, preferencesOf } from '../../../platform/access/preferences.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { flag, integer, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { listParams } from '../../../platform/pages/lists.ts'

export type DiffLook = (typeof diffViews)[number]

export interface Look {
  readonly view: DiffLook
  /** Lines that differ in white space alone are the same. */
  readonly ignoresWhitespace: boolean
  /** The place of the first file that is shown, from 0, and how many files a page has. */
  readonly first: number
  readonly perPage: number
}

/** Files on a page of a diff: what a reader sees first comes with the page, the rest as it comes into view. */
export const FILES_PER_PAGE = 5

/** What pages show where nothing is said. */
export const plainLook: Look = { view: 'inline', ignoresWhitespace: false, first: 0, perPage: FILES_PER_PAGE }

/** The parameters of every page that shows a diff. */
export const diffParams = {
  page: listParams.page,
  file: optional(integer('Number of the file that is shown, or begins the page', { minimum: 1 })),
  view: optional(
    OneOf(diffViews, {
      description: 'Old and new lines below each other, or beside each other; as it was chosen last, or as one prefers, unless given',
    }),
  ),
  w: optional(flag('Leave out what differs in white space alone; as one prefers unless given')),
  only: optional(text('Path of a file that is shown alone, whatever its size', { maxLength: 4096 })),
}

/** The parameters as a page gets them. */
interface LookParams {
  readonly view?: DiffLook
  readonly w?: boolean
  readonly page?: number
  readonly file?: number
}

const COOKIE = 'diff_view'
const YEAR = 365 * 24 * 60 * 60

type Asker = Pick<Context, 'request' | 'actor'> & { readonly params: LookParams }

/** The cookie of a choice. It names what the account preferred then: once that has changed, the choice is over. */
const cookieValue = (view: DiffLook, preferred: DiffLook): string => (preferred === plainLook.view ? view : `${view}-over-${preferred}`)

/** What was chosen last in this browser, over what the account prefers; undefined where nothing was. */
function chosenBefore({ request, actor }: Pick<Asker, 'request' | 'actor'>): DiffLook | undefined {
  const [, value] = /(?:^|;\s*)diff_view=([a-z-]+)/.exec(request.headers.cookie ?? '') ?? []
  return diffViews.find(view => value === cookieValue(view, preferencesOf(actor).diff_view))
}

/** How the caller looks at diffs: as the address says, else as they chose last, else as they prefer. */
export function lookOf(ctx: Asker): Look {
  const { view, w, page = 1, file = (page - 1) * FILES_PER_PAGE + 1 } = ctx.params
  const { diff_view, show_whitespace_in_diffs, view_diffs_file_by_file } = preferencesOf(ctx.actor)
  const perPage = view_diffs_file_by_file ? 1 : FILES_PER_PAGE
  return {
    view: view ?? chosenBefore(ctx) ?? diff_view,
    ignoresWhitespace: w ?? !show_whitespace_in_diffs,
    // Addresses are passed on to people who see more or fewer files on a page.
    first: file - 1 - ((file - 1) % perPage),
    perPage,
  }
}

/** The answer, with what the address chooses kept for the next diff. A notice's cookie goes first: then the next page keeps it. */
export function keepingLook(ctx: Asker, answer: ByteAnswer): ByteAnswer {
  const { view } = ctx.params
  const preferred = preferencesOf(ctx.actor).diff_view
  if (view === undefined || view === (chosenBefore(ctx) ?? preferred) || answer.headers?.['set-cookie'] !== undefined) return answer
  const cookie = `${COOKIE}=${cookieValue(view, preferred)}; Path=/; Max-Age=${YEAR}; SameSite=Lax`
  return { ...answer, headers: { ...answer.headers, 'set-cookie': cookie } }
}
