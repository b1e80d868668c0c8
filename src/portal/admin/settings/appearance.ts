/** How the instance presents itself: texts and pictures of its own, and messages on every page. */
import { updateAppearance } from '../../../platform/appearance/endpoints.ts'
import { appearanceOf, type ImageKind } from '../../../platform/appearance/queries.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import { html } from '../../../platform/pages/html.ts'
import type { FormSection } from '../../settings_pages/declaration.ts'
import { inAdministration } from '../scope.ts'
import { instancePage, SETTINGS } from './declared.ts'

const REMOVE = `${SETTINGS}/appearance/images/delete` as const

const shared: Pick<FormSection<object>, 'of' | 'values'> = {
  of: updateAppearance,
  values: async ({ db }) => ({ ...(await appearanceOf(db)) }),
}

/** A section with a picture: the one there is, with a button that removes it, and a field for another. */
const pictureSection = (kind: ImageKind, title: string, says: string): FormSection<object> => ({
  ...shared,
  key: kind,
  title,
  says,
  fields: [{ name: kind, label: 'Picture', control: 'file', required: true, hint: 'An image of up to 1 MB.' }],
  button: 'Upload',
  async after(ctx) {
    const path = (await appearanceOf(ctx.db))[kind]
    if (path === null) return html``
    const remove = {
      to: REMOVE,
      face: 'Remove the picture',
      label: `Remove the picture: ${title}`,
      sends: { [kind]: '' },
      asks: 'Remove the picture?',
    }
    return html`<div class="row picture-now"><img class="own-picture" src="${path}" alt="${title}, as it is">${actionButton(ctx, remove)}</div>`
  },
})

export const appearancePage = instancePage({
  key: 'appearance',
  sections: [
    {
      ...shared,
      key: 'sign_in_page',
      title: 'Page for signing in',
      fields: [
        { name: 'title', hint: '' },
        { name: 'description', control: 'textarea', hint: 'Markdown: emphasis, links, lists and code.' },
      ],
    },
    pictureSection('logo', 'Picture on the page for signing in', 'It stands above the title.'),
    pictureSection('header_logo', 'Picture at the top', 'It stands at the top of every page, in place of the logo of the program.'),
    pictureSection('favicon', 'Icon', 'Browsers show it beside the title of a page. Square, of 32 pixels or more.'),
    {
      ...shared,
      key: 'messages',
      title: 'Messages on every page',
      says: 'What all should know all the time, such as what the server is for. For what passes there are broadcast messages.',
      fields: [
        { name: 'header_message', label: 'Above the page', hint: '' },
        { name: 'footer_message', label: 'Below the page', hint: '' },
        { name: 'message_background_color', label: 'Background', control: 'color', hint: '' },
        {
          name: 'message_font_color',
          label: 'Text',
          control: 'color',
          hint: 'Where it could not be read on the background, the text is black or white.',
        },
        { name: 'email_header_and_footer_enabled', label: 'Mails have both too', hint: '' },
      ],
    },
    {
      ...shared,
      key: 'guidelines',
      title: 'Guidelines',
      says: 'Each is optional. Markdown: emphasis, links, lists and code.',
      fields: [
        { name: 'new_project_guidelines', label: 'On the page for a new project', control: 'textarea', hint: '' },
        { name: 'profile_image_guidelines', label: 'On the page of the profile', control: 'textarea', hint: 'About the picture.' },
      ],
    },
  ],
})

export const removeAppearanceImage = action({
  route: `POST ${REMOVE}`,
  of: updateAppearance,
  scope: inAdministration,
  next: () => `${SETTINGS}/appearance`,
  notice: 'The picture was removed.',
})
