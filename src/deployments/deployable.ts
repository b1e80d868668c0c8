/**
 * The job that made a deployment, as document 2 "Environment" describes `deployable`: a job with its commit and pipeline in other sizes
 * than elsewhere. Null for a deployment that was reported by the API.
 */
import Type from 'typebox'
import { DateTime, Nullable } from '../kernel/types.ts'

const Artifact = Type.Object({
  file_type: Type.String(),
  size: Type.Integer(),
  filename: Type.String(),
  file_format: Nullable(Type.String()),
})

const Commit = Type.Object({
  id: Type.String(),
  short_id: Type.String(),
  created_at: DateTime(),
  parent_ids: Type.Array(Type.String()),
  title: Type.String(),
  message: Type.String(),
  author_name: Type.String(),
  author_email: Type.String(),
  authored_date: DateTime(),
  committer_name: Type.String(),
  committer_email: Type.String(),
  committed_date: DateTime(),
})

const Pipeline = Type.Object({
  id: Type.Integer(),
  sha: Type.String(),
  ref: Type.String(),
  status: Type.String(),
  web_url: Type.String(),
})

const Person = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  username: Type.String(),
  state: Type.String(),
  avatar_url: Nullable(Type.String()),
  web_url: Type.String(),
  created_at: DateTime(),
  bio: Nullable(Type.String()),
  location: Nullable(Type.String()),
  public_email: Type.String(),
  skype: Type.String(),
  linkedin: Type.String(),
  twitter: Type.String(),
  website_url: Type.String(),
  organization: Nullable(Type.String()),
})

export const Deployable = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  stage: Type.String(),
  ref: Type.String(),
  tag: Type.Boolean(),
  status: Type.String(),
  coverage: Nullable(Type.Number()),
  created_at: DateTime(),
  started_at: Nullable(DateTime()),
  finished_at: Nullable(DateTime()),
  duration: Nullable(Type.Number()),
  web_url: Type.String(),
  runner: Type.Null(),
  artifacts: Type.Array(Artifact),
  artifacts_expire_at: Type.Optional(Nullable(DateTime())),
  user: Nullable(Person),
  commit: Commit,
  pipeline: Pipeline,
})
