/** An application as JSON (applications API of the v4 level 14.0); its secret only when it was just made. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { FreshApplication } from './commands.ts'
import type { ApplicationRow } from './queries.ts'

const fields = {
  id: Type.Integer(),
  application_id: Type.String({ description: 'The client id of OAuth' }),
  application_name: Type.String(),
  callback_url: Type.String({ description: 'Redirect URIs, one in a line' }),
  confidential: Type.Boolean(),
}

const present = (row: ApplicationRow) => ({
  id: row.id,
  application_id: row.uid,
  application_name: row.name,
  callback_url: row.redirect_uri,
  confidential: row.confidential,
})

export const Application = entity({ name: 'Application', schema: Type.Object(fields), present })

export const ApplicationWithSecret = entity({
  name: 'ApplicationWithSecret',
  schema: Type.Object({ ...fields, secret: Type.String({ description: 'Shown once' }) }),
  present: (row: FreshApplication) => ({ ...present(row), secret: row.secret.reveal() }),
})
