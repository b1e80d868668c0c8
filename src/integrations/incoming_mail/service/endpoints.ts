/** Where a mail service hands mails in. */
import { endpoint, nothing } from '../../../platform/kernel/declaration/endpoint.ts'
import { LARGEST_MAIL } from '../../../platform/mail/incoming/message.ts'
import { receiveMail } from '../receive.ts'
import { inIncomingMail, mailService } from './dialect.ts'
import { withHandedIn } from './form.ts'

export const takeMail = endpoint({
  route: 'POST /-/incoming_mail',
  summary: 'Take a mail from a mail service: as the body, or in a form as `email`, `body-mime`, `message`, `mime` or `raw`',
  dialect: mailService,
  scope: inIncomingMail,
  can: 'read_instance',
  anonymous: true,
  rawBody: true,
  bodyLimit: LARGEST_MAIL,
  counted: false,
  writes: 'own',
  // Mails that are refused are taken too: their senders get to know by mail, and the service need not send them again.
  answers: { ...nothing, status: 200 },
  errors: ['too_large', 'unsupported_media_type'],
  async run({ deps, request, body }) {
    await withHandedIn(deps, request.headers, body, ({ spooled, envelope }) => receiveMail(deps, spooled, envelope))
  },
})
