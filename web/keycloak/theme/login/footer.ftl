<#macro content>
<#if pageId == "login-password"><p>${msg("ghSetUpNext")}</p></#if>
<#if pageId == "webauthn-register"><p>${msg("ghPasskey")}</p></#if>
<#if pageId == "login-otp"><p>${msg("ghLostPhone")}</p></#if>
<p>${msg("ghNeverAsk")}</p>
<p>${msg("ghQuestions")} <a href="mailto:${properties.ghMail}">${properties.ghMail}</a></p>
<#if "@phone@"?has_content><p>${msg("ghCall")} <a href="@phone-link@">@phone@</a>@open@</p></#if>
</#macro>
