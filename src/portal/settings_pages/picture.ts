/** The picture of a project or group: uploading one, and removing it; that of a person is removed alike. */
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
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
  after: ctx => pictureNow(ctx, pictured(ctx), removeAt(ctx), 'square'),
})

/** The picture as it is, with the button that removes it where there is one. `to`: the address of the button. */
export const pictureNow = (ctx: Context, pictured: Pictured, to: string, shape?: 'square'): Html =>
  html`<div class="row picture-now">${avatar(pictured, 48, shape)}${pictured.avatar_url !== null && actionButton(ctx, { to, face: 'Remove the picture', asks: 'Remove the picture?' })}</div>`
