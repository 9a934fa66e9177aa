// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownership} from "./Ownership.sol";

/// An ERC-721 collection that lives on the chain alone: metadata and picture are `data:` URIs, in base64 for even ids
/// and as plain text for odd ones. The picture changes with the season, which anyone may turn.
contract Glyphs is Ownership {
    bytes private constant LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    string public constant name = "Glyphs";
    string public constant symbol = "GLYPH";
    uint256 public season;

    function mint(address to, uint256 count) external {
        for (uint256 i = 0; i < count; i++) _mint(to);
    }

    function turn() external {
        season++;
        emit BatchMetadataUpdate(1, type(uint256).max);
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        ownerOf(tokenId);
        string memory number = decimal(tokenId);
        string memory picture = string.concat("data:image/svg+xml;base64,", base64(bytes(pictureOf(tokenId))));
        string memory json = string.concat(
            '{"name":"Glyph ', number, '","description":"Drawn on the chain in the ', seasonName(), '.","image":"', picture,
            '","attributes":[{"trait_type":"Season","value":"', seasonName(), '"},{"trait_type":"Number","value":', number,
            "}]}"
        );
        if (tokenId % 2 == 0) return string.concat("data:application/json;base64,", base64(bytes(json)));
        return string.concat("data:application/json;utf8,", json);
    }

    function seasonName() public view returns (string memory) {
        uint256 now_ = season % 4;
        return now_ == 0 ? "spring" : now_ == 1 ? "summer" : now_ == 2 ? "autumn" : "winter";
    }

    function pictureOf(uint256 tokenId) private view returns (string memory svg) {
        uint256 seed = uint256(keccak256(abi.encode(tokenId, season)));
        string memory hue = decimal(seed % 360);
        svg = string.concat(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="hsl(', hue,
            ' 42% 16%)"/><g fill="none" stroke="hsl(', hue, ' 70% 72%)" stroke-width="3" stroke-linecap="round">'
        );
        for (uint256 i = 0; i < 4; i++) {
            seed /= 360;
            svg = string.concat(
                svg, '<circle cx="', decimal(24 + (seed % 49)), '" cy="', decimal(24 + ((seed / 49) % 49)), '" r="',
                decimal(6 + ((seed / 2401) % 17)), '"/>'
            );
            seed /= 40817;
        }
        svg = string.concat(svg, "</g></svg>");
    }

    function base64(bytes memory data) private pure returns (string memory) {
        bytes memory text = new bytes(4 * ((data.length + 2) / 3));
        bytes memory letters = LETTERS;
        uint256 at;
        for (uint256 i = 0; i < data.length; i += 3) {
            uint256 three = uint256(uint8(data[i])) << 16;
            if (i + 1 < data.length) three |= uint256(uint8(data[i + 1])) << 8;
            if (i + 2 < data.length) three |= uint256(uint8(data[i + 2]));
            text[at++] = letters[three >> 18];
            text[at++] = letters[(three >> 12) & 63];
            text[at++] = i + 1 < data.length ? letters[(three >> 6) & 63] : bytes1("=");
            text[at++] = i + 2 < data.length ? letters[three & 63] : bytes1("=");
        }
        return string(text);
    }

    function decimal(uint256 value) private pure returns (string memory) {
        if (value == 0) return "0";
        uint256 length;
        for (uint256 rest = value; rest > 0; rest /= 10) length++;
        bytes memory text = new bytes(length);
        for (; length > 0; value /= 10) text[--length] = bytes1(uint8(48 + (value % 10)));
        return string(text);
    }
}
