{{- define "ingot.name" -}}
{{- if contains "ingot" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-ingot" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "ingot.selector" -}}
app.kubernetes.io/name: ingot
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "ingot.labels" -}}
{{ include "ingot.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Variables of the program by the names that they have in the secret. */}}
{{- define "ingot.secretNames" -}}
secretKey: INGOT_SECRET_KEY
databaseUrl: DATABASE_URL
objectStore: INGOT_OBJECT_STORE
rootPassword: INGOT_ROOT_PASSWORD
metricsToken: INGOT_METRICS_TOKEN
runnersRegistrationToken: INGOT_RUNNERS_REGISTRATION_TOKEN
{{- end }}

{{- define "ingot.secret" -}}
{{ .Values.secrets.existingSecret | default (include "ingot.name" .) }}
{{- end }}

{{- define "ingot.claim" -}}
{{ .Values.persistence.existingClaim | default (printf "%s-data" (include "ingot.name" .)) }}
{{- end }}
