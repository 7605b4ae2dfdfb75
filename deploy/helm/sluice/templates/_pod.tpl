{{- define "sluice.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .from.existingSecret }}
      key: {{ .from.key }}
{{- end -}}

{{- define "sluice.pod" -}}
{{- $v := .Values -}}
{{- $sqlite := eq $v.database.kind "sqlite" -}}
metadata:
  labels:
    {{- include "sluice.labels" . | nindent 4 }}
    {{- with $v.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with $v.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "sluice.serviceAccountName" . }}
  automountServiceAccountToken: false
  {{- /* Kubernetes would add SLUICE_PORT and others for a service of this name, and the gateway refuses variables that it does not know. */}}
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ default (include "sluice.shortestGrace" .) $v.terminationGracePeriodSeconds }}
  {{- with $v.image.pullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $v.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  securityContext:
    {{- toYaml $v.podSecurityContext | nindent 4 }}
  containers:
    - name: sluice
      image: {{ include "sluice.image" . | quote }}
      imagePullPolicy: {{ $v.image.pullPolicy }}
      args: [serve]
      env:
        - name: SLUICE_DRAIN_DELAY
          value: {{ $v.drain.delaySeconds | quote }}
        - name: SLUICE_DRAIN_TIMEOUT
          value: {{ $v.drain.timeoutSeconds | quote }}
        {{- range $name, $value := $v.config }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
        {{- if not $sqlite }}
        {{- include "sluice.secretVariable" (dict "name" "DATABASE_URL" "from" $v.database) | nindent 8 }}
        {{- end }}
        {{- if $v.masterKey.existingSecret }}
        {{- include "sluice.secretVariable" (dict "name" "SLUICE_MASTER_KEY" "from" $v.masterKey) | nindent 8 }}
        {{- end }}
        {{- include "sluice.secretVariable" (dict "name" "SLUICE_ROOT_PASSWORD" "from" $v.rootPassword) | nindent 8 }}
        {{- if $v.valkey.existingSecret }}
        {{- include "sluice.secretVariable" (dict "name" "SLUICE_VALKEY_URL" "from" $v.valkey) | nindent 8 }}
        {{- end }}
        {{- if $v.metrics.existingSecret }}
        {{- include "sluice.secretVariable" (dict "name" "SLUICE_METRICS_TOKEN" "from" $v.metrics) | nindent 8 }}
        {{- end }}
        {{- if $v.configFile.existingConfigMap }}
        - name: SLUICE_CONFIG
          value: /etc/sluice/sluice.yaml
        {{- end }}
        {{- with $v.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $v.extraEnvFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        - name: http
          containerPort: 3000
          protocol: TCP
      startupProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: {{ div (add $v.probes.startupSeconds 4) 5 }}
      livenessProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 10
        timeoutSeconds: 10
        failureThreshold: 6
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 2
      resources:
        {{- toYaml $v.resources | nindent 8 }}
      securityContext:
        {{- toYaml $v.securityContext | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /var/lib/sluice
        - name: tmp
          mountPath: /tmp
        {{- if $v.configFile.existingConfigMap }}
        - name: config-file
          mountPath: /etc/sluice
          readOnly: true
        {{- end }}
        {{- with $v.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: tmp
      emptyDir:
        sizeLimit: 64Mi
    {{- if and $sqlite $v.persistence.enabled $v.persistence.existingClaim }}
    - name: data
      persistentVolumeClaim:
        claimName: {{ $v.persistence.existingClaim }}
    {{- else if not (and $sqlite $v.persistence.enabled) }}
    - name: data
      emptyDir:
        sizeLimit: {{ $v.persistence.size }}
    {{- end }}
    {{- if $v.configFile.existingConfigMap }}
    - name: config-file
      configMap:
        name: {{ $v.configFile.existingConfigMap }}
        items:
          - key: {{ $v.configFile.key }}
            path: sluice.yaml
    {{- end }}
    {{- with $v.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- if $v.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml $v.topologySpreadConstraints | nindent 4 }}
  {{- else if include "sluice.hasReplicas" . }}
  topologySpreadConstraints:
    {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
    - maxSkew: 1
      topologyKey: {{ . }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "sluice.selector" $ | nindent 10 }}
    {{- end }}
  {{- end }}
  {{- with $v.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $v.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $v.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
