/** The fields with which people write about items, and what becomes of them. */
import { Body } from '../../collaboration/notes/params.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'

/** Browsers send the line ends of a text as two characters; people type one. */
export const typed = (sent: unknown): string => String(sent ?? '').replaceAll('\r\n', '\n')

/** What a comment asks for in place of the body alone: the text, and a quick action by a button. */
export const commentInstead = {
  of: ['body', 'created_at', 'confidential'],
  params: { body: Body, also: optional(text('A quick action besides: `close` or `reopen`', { maxLength: 20 })) },
  async adapt(_ctx: unknown, { body, also, ...params }: Readonly<Record<string, unknown>>) {
    const action = also === 'close' || also === 'reopen' ? `/${also}` : ''
    return { ...params, body: [typed(body), action].filter(part => part !== '').join('\n\n') }
  },
}

/** The fields of a comment. `base`: the path before the pages of its project or group, `/group/project/-`. */
export const commentFields = (
  base: string,
  { mayHide, takesFiles }: { readonly mayHide: boolean; readonly takesFiles: boolean },
): readonly FieldSpec[] => [
  {
    name: 'body',
    label: 'Comment',
    control: 'markdown',
    base,
    hint: '',
    placeholder: 'Markdown, and quick actions such as /label ~bug',
    ...(!takesFiles && { withoutFiles: true }),
  },
  ...(mayHide ? [{ name: 'internal', label: 'Internal: for members with the Reporter role or higher', hint: '' } as const] : []),
]
