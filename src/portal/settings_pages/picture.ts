/** The picture of a project or group: uploading one, and removing it. */
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { html } from '../../platform/pages/html.ts'
import type { FormSection } from './declaration.ts'

type Pictured = Parameters<typeof avatar>[0]

/** The section; `of` takes the picture, `removeAt` is the address of the button that removes it. */
export const pictureOf = <S extends object>(
  of: Endpoint,
  pictured: (subjects: S) => Pictured,
  removeAt: (subjects: S) => string,
): FormSection<S> => ({
  key: 'picture',
  title: 'Picture',
  of,
  fields: [{ name: 'avatar', label: 'Picture', control: 'file', required: true, hint: 'An image of up to 200 KB.' }],
  button: 'Upload',
  after: (ctx: Context & S) => {
    const shown = pictured(ctx)
    return html`<div class="row picture-now">${avatar(shown, 48, 'square')}${shown.avatar_url !== null && actionButton(ctx, { to: removeAt(ctx), face: 'Remove the picture', asks: 'Remove the picture?' })}</div>`
  },
})
