<#import "field.ftl" as field>
<#-- As Keycloak's, but ticked where a password is chosen: anyone who knew the old one is signed out. -->
<#macro logoutOtherSessions>
    <div id="kc-form-options" class="${properties.kcFormOptionsClass!}">
        <div class="${properties.kcFormOptionsWrapperClass!}">
            <@field.checkbox name="logout-sessions" label=msg("logoutOtherSessions") value=(pageId == "login-update-password") />
        </div>
    </div>
</#macro>
