{{- /* Combinations of values that would lose money or secrets, or that would silently do nothing. Each sentence names the value. */ -}}
{{- define "sluice.refusals" -}}
{{- $v := .Values -}}
{{- $sqlite := eq $v.database.kind "sqlite" -}}
{{- if not $v.image.repository -}}
  {{- fail "image.repository is empty: no image is published, so build one with deploy/docker/Dockerfile and name it." -}}
{{- end -}}
{{- if not $v.rootPassword.existingSecret -}}
  {{- fail "rootPassword.existingSecret is empty: without it the first password of root is 123456. Name a secret that has it." -}}
{{- end -}}

{{- if $sqlite -}}
  {{- if gt (int $v.replicas) 1 -}}
    {{- fail "replicas is above 1, but database.kind is sqlite: a SQLite file has one gateway. Choose postgres for several." -}}
  {{- end -}}
  {{- if $v.autoscaling.enabled -}}
    {{- fail "autoscaling.enabled is true, but database.kind is sqlite: a SQLite file has one gateway. Choose postgres for several." -}}
  {{- end -}}
  {{- if not (kindIs "invalid" $v.rollout.maxSurge) -}}
    {{- fail "rollout.maxSurge is given, but database.kind is sqlite: a second pod beside the first could not open the same file." -}}
  {{- end -}}
  {{- if and (not $v.persistence.enabled) (not $v.persistence.ephemeral) -}}
    {{- fail "persistence.enabled is false: balances, charges and keys would be lost with the pod. If that is what you want, set persistence.ephemeral to true." -}}
  {{- end -}}
  {{- if and $v.persistence.enabled $v.persistence.ephemeral -}}
    {{- fail "persistence.ephemeral is true, but so is persistence.enabled: choose one." -}}
  {{- end -}}
  {{- if $v.database.existingSecret -}}
    {{- fail "database.existingSecret is given, but database.kind is sqlite: choose postgres to use it." -}}
  {{- end -}}
  {{- if $v.valkey.existingSecret -}}
    {{- fail "valkey.existingSecret is given, but database.kind is sqlite: one gateway has nobody to share it with." -}}
  {{- end -}}
{{- else -}}
  {{- if not $v.database.existingSecret -}}
    {{- fail "database.existingSecret is empty, but database.kind is postgres: name a secret that has the address of the database." -}}
  {{- end -}}
  {{- if not $v.masterKey.existingSecret -}}
    {{- fail "masterKey.existingSecret is empty, but database.kind is postgres: each pod would make a key of its own, and what one stores no other could read." -}}
  {{- end -}}
  {{- if and $v.autoscaling.enabled (lt (int $v.autoscaling.maxReplicas) (int $v.autoscaling.minReplicas)) -}}
    {{- fail "autoscaling.maxReplicas is below autoscaling.minReplicas." -}}
  {{- end -}}
  {{- if and $v.autoscaling.enabled (not $v.autoscaling.openRequests) (not $v.autoscaling.cpuUtilization) -}}
    {{- fail "autoscaling.enabled is true, but autoscaling.openRequests and autoscaling.cpuUtilization are both 0: nothing would be measured." -}}
  {{- end -}}
{{- end -}}

{{- if not (kindIs "invalid" $v.terminationGracePeriodSeconds) -}}
  {{- if lt (int $v.terminationGracePeriodSeconds) (int (include "sluice.shortestGrace" .)) -}}
    {{- fail (printf "terminationGracePeriodSeconds is %d, but drain.delaySeconds, drain.timeoutSeconds and 30 s to settle are %s: open answers would be killed." (int $v.terminationGracePeriodSeconds) (include "sluice.shortestGrace" .)) -}}
  {{- end -}}
{{- end -}}

{{- $set := dict "DATABASE_URL" "database.existingSecret" "SLUICE_MASTER_KEY" "masterKey.existingSecret" "SLUICE_ROOT_PASSWORD" "rootPassword.existingSecret" "SLUICE_VALKEY_URL" "valkey.existingSecret" "SLUICE_METRICS_TOKEN" "metrics.existingSecret" "SLUICE_OTLP_HEADERS" "extraEnv with valueFrom.secretKeyRef" "SLUICE_BACKUP_S3_ACCESS_KEY" "extraEnv with valueFrom.secretKeyRef" "SLUICE_BACKUP_S3_SECRET_KEY" "extraEnv with valueFrom.secretKeyRef" -}}
{{- range $name, $instead := $set -}}
  {{- if hasKey $v.config $name -}}
    {{- fail (printf "config.%s is a secret, and values are stored in the clear: use %s." $name $instead) -}}
  {{- end -}}
  {{- range $v.extraEnv -}}
    {{- if and (eq .name $name) (hasKey . "value") -}}
      {{- fail (printf "extraEnv has the value of %s, which is a secret, and values are stored in the clear: use %s." $name $instead) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- $own := dict "PORT" "service.port" "SLUICE_DATA_DIR" "persistence" "SLUICE_DRAIN_DELAY" "drain.delaySeconds" "SLUICE_DRAIN_TIMEOUT" "drain.timeoutSeconds" -}}
{{- if $v.configFile.existingConfigMap -}}{{- $_ := set $own "SLUICE_CONFIG" "configFile.existingConfigMap" -}}{{- end -}}
{{- range $name, $instead := $own -}}
  {{- if hasKey $v.config $name -}}
    {{- fail (printf "config.%s is set by the chart: use %s." $name $instead) -}}
  {{- end -}}
{{- end -}}
{{- $chart := concat (keys $own) (list "DATABASE_URL" "SLUICE_ROOT_PASSWORD") -}}
{{- range $name, $from := dict "SLUICE_MASTER_KEY" $v.masterKey "SLUICE_VALKEY_URL" $v.valkey "SLUICE_METRICS_TOKEN" $v.metrics -}}
  {{- if $from.existingSecret -}}{{- $chart = append $chart $name -}}{{- end -}}
{{- end -}}
{{- range $v.extraEnv -}}
  {{- if has .name $chart -}}
    {{- fail (printf "extraEnv names %s, which the chart sets: use %s." .name (default (get $set .name) (get $own .name))) -}}
  {{- end -}}
  {{- if hasKey $v.config .name -}}
    {{- fail (printf "extraEnv names %s, and so does config: choose one." .name) -}}
  {{- end -}}
{{- end -}}

{{- if and $v.serviceMonitor.enabled (not $v.metrics.existingSecret) -}}
  {{- fail "serviceMonitor.enabled is true, but metrics.existingSecret is empty: without a token there are no metrics." -}}
{{- end -}}
{{- if and $v.httpRoute.enabled (not $v.httpRoute.parentRefs) -}}
  {{- fail "httpRoute.parentRefs is empty, but httpRoute.enabled is true: name the gateway that it belongs to." -}}
{{- end -}}
{{- if and $v.ingress.enabled (not $v.ingress.hosts) -}}
  {{- fail "ingress.hosts is empty, but ingress.enabled is true: name the hosts." -}}
{{- end -}}
{{- end -}}
