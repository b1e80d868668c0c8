/** An application as JSON (applications API of the v4 level 14.0); the secret only right after it was generated. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, flag, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { FreshApplication } from './commands.ts'
import type { ApplicationRow } from './queries.ts'

const fields = {
  id: integer('ID, unique on the instance'),
  application_id: text('The client id of OAuth'),
  application_name: text('Name of the application'),
  callback_url: text('Redirect URIs, one in a line'),
  confidential: flag('Whether only members with the Reporter role or higher, authors and assignees may see it'),
  // Newer than the API at 14.0, and specific to Ingot.
  secret_expires_at: Nullable(DateTime('When the secret has to be renewed; null: never')),
}

const present = (row: ApplicationRow) => ({
  id: row.id,
  application_id: row.uid,
  application_name: row.name,
  callback_url: row.redirect_uri,
  confidential: row.confidential,
  secret_expires_at: row.secret_expires_at,
})

export const Application = entity({ name: 'Application', schema: Type.Object(fields), present })

export const ApplicationWithSecret = entity({
  name: 'ApplicationWithSecret',
  schema: Type.Object({ ...fields, secret: text('Shown once') }),
  present: (row: FreshApplication) => ({ ...present(row), secret: row.secret.reveal() }),
})
