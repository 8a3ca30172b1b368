<#-- Replaces Keycloak's template, which requires a password input that registration may lack, and shows the rules only after an error. -->
<#macro templates>
</#macro>
<#macro script field="">
    <#if passwordPolicies.length??>
        <template id="gh-rule" data-field="${field}">${msg("invalidPasswordMinLengthMessage", passwordPolicies.length)}</template>
    </#if>
</#macro>
