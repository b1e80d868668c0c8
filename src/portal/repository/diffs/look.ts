/** How a person looks at diffs: in one column or side by side, with white space or without it. */
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { flag, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { listParams } from '../../../platform/pages/lists.ts'

/** `inline`: old and new lines below each other; `parallel`: beside each other. */
export const diffLooks = ['inline', 'parallel'] as const
export type DiffLook = (typeof diffLooks)[number]

export interface Look {
  readonly view: DiffLook
  /** Lines that differ in white space alone are the same. */
  readonly ignoresWhitespace: boolean
}

/** What pages show where nothing is said. */
export const plainLook: Look = { view: 'inline', ignoresWhitespace: false }

/** The parameters of every page that shows a diff. */
export const diffParams = {
  page: listParams.page,
  view: optional(
    OneOf(diffLooks, { description: 'Old and new lines below each other, or beside each other; as it was chosen last unless given' }),
  ),
  w: optional(flag('Leave out what differs in white space alone')),
  only: optional(text('Path of a file that is shown alone, whatever its size', { maxLength: 4096 })),
}

/** The parameters as a page gets them. */
interface LookParams {
  readonly view?: DiffLook
  readonly w?: boolean
}

const COOKIE = 'diff_view'
const YEAR = 365 * 24 * 60 * 60

/** What was chosen last, by the `Cookie` header; undefined where nothing was. */
function chosenBefore(cookies: string | undefined): DiffLook | undefined {
  const [, value] = /(?:^|;\s*)diff_view=([a-z]+)/.exec(cookies ?? '') ?? []
  return diffLooks.find(look => look === value)
}

/** How the caller looks at diffs: as the address says, else as they chose last. */
export const lookOf = ({ params, request }: Pick<Context, 'request'> & { readonly params: LookParams }): Look => ({
  view: params.view ?? chosenBefore(request.headers.cookie) ?? plainLook.view,
  ignoresWhitespace: params.w ?? false,
})

/** The answer, with what the address chooses kept for the next diff. A notice's cookie goes first: then the next page keeps it. */
export function keepingLook(
  { params, request }: Pick<Context, 'request'> & { readonly params: LookParams },
  answer: ByteAnswer,
): ByteAnswer {
  const { view } = params
  if (view === undefined || view === chosenBefore(request.headers.cookie) || answer.headers?.['set-cookie'] !== undefined) return answer
  return { ...answer, headers: { ...answer.headers, 'set-cookie': `${COOKIE}=${view}; Path=/; Max-Age=${YEAR}; SameSite=Lax` } }
}
