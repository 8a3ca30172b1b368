<#ftl output_format="plainText">
${msg("eventRemoveCredentialBody", msg("credential." + (event.getDetail("credential_type")!"other")), event.date, event.ipAddress, properties.ghNotMe)}
